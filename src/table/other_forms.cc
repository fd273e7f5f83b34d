#include "table/other_forms.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <vector>

namespace mirrorball::table {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::size_t kGroup = 3;  ///< digits between two separators of thousands

/// Without spaces, signs of money (outside of ASCII too), percent and plus or minus at both ends.
std::string_view without_unit(std::string_view text) {
  const auto unit = [](char c) {
    return static_cast<unsigned char>(c) >= 0x80 ||
           std::string_view(" $%+-").find(c) != std::string_view::npos;
  };
  while (!text.empty() && unit(text.front())) text.remove_prefix(1);
  while (!text.empty() && unit(text.back())) text.remove_suffix(1);
  return text;
}

/// Words of letters or digits; what separates them is passed over. The first sign after each is in `after`.
struct Words {
  std::vector<std::string_view> word;
  std::string_view after;
};

Words split(std::string_view text, std::size_t most) {
  Words found;
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)); };
  while (found.word.size() < most) {
    const auto first = std::find_if(text.begin(), text.end(), is_word);
    const auto last = std::find_if_not(first, text.end(), is_word);
    if (first == last) return found;
    found.word.push_back(
        text.substr(static_cast<std::size_t>(first - text.begin()), static_cast<std::size_t>(last - first)));
    text.remove_prefix(static_cast<std::size_t>(last - text.begin()));
    found.after = text;
  }
  return found;
}

bool all_digits(std::string_view word) { return word.find_first_not_of(kDigits) == word.npos; }

/// The number that a word of up to four digits is; -1 for any other.
int small_number(std::string_view word) {
  if (word.empty() || word.size() > 4 || !all_digits(word)) return -1;
  int value = 0;
  for (const char digit : word) value = 10 * value + (digit - '0');
  return value;
}

bool month_name(std::string_view word) {
  constexpr std::array<std::string_view, 12> kMonths = {"jan", "feb", "mar", "apr", "may", "jun",
                                                        "jul", "aug", "sep", "oct", "nov", "dec"};
  if (word.size() < 3) return false;
  std::string begin(word.substr(0, 3));
  for (char& c : begin) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return std::find(kMonths.begin(), kMonths.end(), begin) != kMonths.end();
}

bool is_year(std::string_view word) { return word.size() == 4 && small_number(word) >= 1000; }
bool is_day(std::string_view word) {
  return word.size() <= 2 && small_number(word) >= 1 && small_number(word) <= 31;
}

}  // namespace

bool number_in_another_form(std::string_view text) {
  const std::string_view number = without_unit(text);
  if (number.empty() || number.find_first_not_of("0123456789., '") != number.npos || !std::isdigit(number[0]))
    return false;
  // The last separator may be that of decimals; one of thousands has three digits behind it.
  const std::size_t last = number.find_last_of(".,");
  std::size_t group = number.find_first_of("., '");
  if (group == number.npos || (group == last && number[group] == '.')) return number != text;
  for (; group != number.npos && group != last; group = number.find_first_of("., '", group + 1)) {
    const std::size_t next = std::min(number.find_first_of("., '", group + 1), number.size());
    if (next - group - 1 != kGroup) return false;
  }
  return last == number.npos || last + 1 < number.size();
}

bool date_in_another_form(std::string_view text) {
  const Words words = split(text, 3);
  if (words.word.size() < 3 ||
      (!words.after.empty() && std::string_view(" T,").find(words.after[0]) == text.npos))
    return false;
  const std::string_view a = words.word[0], b = words.word[1], c = words.word[2];
  if (month_name(b)) return is_day(a) && (is_year(c) || c.size() == 2);
  if (month_name(a)) return is_day(b) && is_year(c);
  if (is_year(a)) return is_day(b) && is_day(c);
  const bool short_year = text.find('/') != text.npos && c.size() == 2 && small_number(c) >= 0;
  return is_day(a) && is_day(b) && std::min(small_number(a), small_number(b)) <= 12 &&
         (is_year(c) || short_year);
}

}  // namespace mirrorball::table
