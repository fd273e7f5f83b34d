#include "table/instant.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace mirrorball::table {
namespace {

constexpr double kMinute = 60, kHour = 3600, kDay = 86400;
constexpr double kFirst = -62135596800, kLast = 253402300800;  ///< when the years 1 and 10000 begin
constexpr double kRough = 0x1p31;  ///< from here on, midnights are not exact in 24 bits: they are 2^7 x 675
constexpr double kToTheSecond = 0x1p22;  ///< spans that leave bits for seconds

/// Takes a text apart from the front.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }

  /// Passes over the next character if it is one of `any`; gives it, or 0.
  char pass(std::string_view any) {
    if (rest_.empty() || any.find(rest_.front()) == any.npos) return 0;
    const char passed = rest_.front();
    rest_.remove_prefix(1);
    return passed;
  }

  /// The next `count` digits as a number.
  std::optional<int> digits(int count) {
    int value = 0;
    for (int i = 0; i < count; ++i) {
      const char digit = pass("0123456789");
      if (digit == 0) return std::nullopt;
      value = 10 * value + (digit - '0');
    }
    return value;
  }

  /// `count` digits that are at most `most`.
  std::optional<int> digits(int count, int most) {
    const std::optional<int> value = digits(count);
    return value && *value <= most ? value : std::nullopt;
  }

 private:
  std::string_view rest_;
};

/// Days since 1970 of YYYY-MM-DD.
std::optional<int> date(Scanner& text) {
  const std::optional<int> year = text.digits(4);
  if (!year || !text.pass("-")) return std::nullopt;
  const std::optional<int> month = text.digits(2);
  if (!month || !text.pass("-")) return std::nullopt;
  const std::optional<int> day = text.digits(2);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day found(std::chrono::year(*year),
                                          std::chrono::month(static_cast<unsigned>(*month)),
                                          std::chrono::day(static_cast<unsigned>(*day)));
  if (!found.ok()) return std::nullopt;
  return std::chrono::sys_days(found).time_since_epoch().count();
}

/// Seconds since midnight of HH:MM, HH:MM:SS or HH:MM:SS.fff.
std::optional<double> time_of_day(Scanner& text) {
  const std::optional<int> hour = text.digits(2, 23);
  if (!hour || !text.pass(":")) return std::nullopt;
  const std::optional<int> minute = text.digits(2, 59);
  if (!minute) return std::nullopt;
  double seconds = kHour * *hour + kMinute * *minute;
  if (!text.pass(":")) return seconds;
  const std::optional<int> second = text.digits(2, 59);
  if (!second) return std::nullopt;
  seconds += *second;
  if (!text.pass(".")) return seconds;
  std::optional<int> digit = text.digits(1);
  if (!digit) return std::nullopt;
  for (double unit = 0.1; digit; unit /= 10, digit = text.digits(1)) seconds += unit * *digit;
  return seconds;
}

/// Seconds east of UTC: nothing or Z is 0, otherwise +HH:MM, +HHMM or +HH.
std::optional<int> offset(Scanner& text) {
  if (text.at_end() || text.pass("Z")) return 0;
  const char sign = text.pass("+-");
  const std::optional<int> hour = sign == 0 ? std::nullopt : text.digits(2, 23);
  if (!hour) return std::nullopt;
  std::optional<int> minute = 0;
  if (!text.at_end()) {
    text.pass(":");
    minute = text.digits(2, 59);
  }
  if (!minute) return std::nullopt;
  return (sign == '-' ? -60 : 60) * (60 * *hour + *minute);
}

}  // namespace

std::optional<double> seconds_since_1970(std::string_view text) {
  Scanner rest(text);
  const std::optional<int> day = date(rest);
  if (!day) return std::nullopt;
  const double midnight = kDay * *day;
  if (rest.at_end()) return midnight;
  if (!rest.pass("T ")) return std::nullopt;
  const std::optional<double> time = time_of_day(rest);
  const std::optional<int> east = time ? offset(rest) : std::nullopt;
  if (!east || !rest.at_end()) return std::nullopt;
  return midnight + *time - *east;
}

std::string instant_text(double seconds, double span) {
  const double scale = std::max(std::fabs(seconds), span);
  const double exact = scale >= kRough       ? kDay * std::floor((seconds + scale * 0x1p-24) / kDay)
                       : span < kToTheSecond ? std::nearbyint(seconds)
                                             : kMinute * std::nearbyint(seconds / kMinute);
  if (!(exact >= kFirst && exact < kLast)) return fmt::format("{:g}", seconds);
  const double days = std::floor(exact / kDay), rest = exact - kDay * days;
  const std::chrono::year_month_day day(std::chrono::sys_days(std::chrono::days(static_cast<int>(days))));
  std::string text = fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()),
                                 static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
  if (rest == 0) return text;
  text += fmt::format(" {:02}:{:02}", static_cast<int>(rest / kHour),
                      static_cast<int>(std::fmod(rest, kHour) / kMinute));
  if (span < kToTheSecond) text += fmt::format(":{:02}", static_cast<int>(std::fmod(rest, kMinute)));
  return text;
}

bool told_by_the_day(double span) { return span >= 60 * kDay; }

}  // namespace mirrorball::table
