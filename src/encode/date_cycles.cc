#include "encode/date_cycles.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "plan/rules.h"

namespace mirrorball::encode {
namespace {

constexpr double kDay = 86400, kYear = 365.2425 * kDay;
/// Of weekdays, counted from Monday: the first day of 1970 was a Thursday.
constexpr double kThursday = 3;

/// What is left of a value after whole cycles: exact for whole numbers, also negative ones.
double rest_of(double value, double cycle) { return value - std::floor(value / cycle) * cycle; }

double share_of(double value, double cycle) {
  const double turns = value / cycle;
  return turns - std::floor(turns);
}

double place_in(DateCycle cycle, double seconds) {
  switch (cycle) {
    case DateCycle::kDay:
      return share_of(seconds, kDay);
    case DateCycle::kWeek:
      return share_of(std::floor(seconds / kDay) + kThursday, 7);
    case DateCycle::kYear:
      return share_of(seconds, kYear);
  }
  return 0;
}

/// The place as a whole number, so that rounding makes no two of one: a second of the day, a day of the week,
/// a twelfth of the year, because leap years move the same date by a day.
double counted_place(DateCycle cycle, double seconds) {
  switch (cycle) {
    case DateCycle::kDay:
      return std::floor(rest_of(seconds, kDay));
    case DateCycle::kWeek:
      return rest_of(std::floor(seconds / kDay), 7);
    case DateCycle::kYear:
      return std::floor(12 * share_of(seconds, kYear));
  }
  return 0;
}

/// How many places in a cycle occur; `enough` of them need no further look.
std::size_t places(std::span<const double> seconds, DateCycle cycle, std::size_t enough) {
  std::set<double> met;
  for (std::size_t i = 0; i < seconds.size() && met.size() < enough; ++i)
    met.insert(counted_place(cycle, seconds[i]));
  return met.size();
}

}  // namespace

DateCycles DateCycles::fit(std::span<const double> seconds) {
  const auto [first, last] = std::minmax_element(seconds.begin(), seconds.end());
  const double days = (*last - *first) / kDay;
  std::vector<DateCycle> cycles;
  for (const DateCycle cycle : kAll)
    if (plan::has_cycle(cycle, days, places(seconds, cycle, plan::kCyclePlaces))) cycles.push_back(cycle);
  return DateCycles(std::move(cycles));
}

void DateCycles::write(double seconds, float* out) const {
  for (const DateCycle cycle : cycles_) {
    const double angle = 2 * std::numbers::pi * place_in(cycle, seconds);
    *out++ = static_cast<float>(std::numbers::sqrt2 * std::sin(angle));
    *out++ = static_cast<float>(std::numbers::sqrt2 * std::cos(angle));
  }
}

}  // namespace mirrorball::encode
