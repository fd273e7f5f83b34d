#include "table/column_hint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/grouped.h"
#include "plan/rules.h"
#include "table/cells.h"
#include "table/instant.h"

namespace mirrorball::table {
namespace {

constexpr std::size_t kManyRows = 100;              ///< so many numbers rarely differ all
constexpr double kSparse = 20;                      ///< of so many rows at least one is there
constexpr int kFirstYear = 1500, kLastYear = 2500;  ///< that plain numbers are taken to mean

/// A name as a shell takes it, in quotes where it needs them.
std::string shell_word(const std::string& name) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || std::strchr("_-.,:/@%+", c);
  };
  if (!name.empty() && std::all_of(name.begin(), name.end(), plain)) return name;
  std::string quoted = "'";
  for (const char c : name) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// Integers, another one in every row and not far apart: row numbers, or those of a sample of rows.
bool may_count_rows(const Table& table, std::size_t column) {
  const auto whole = [](double value) { return value == std::floor(value); };  // a missing value is not
  if (table.rows() < kManyRows || !whole(table.number(0, column))) return false;
  std::vector<double> values(table.rows());
  table.copy_numbers(column, 0, values.size(), values.data());
  if (!std::all_of(values.begin(), values.end(), whole)) return false;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  if (*most - *least >= kSparse * static_cast<double>(values.size())) return false;
  std::sort(values.begin(), values.end());
  return std::adjacent_find(values.begin(), values.end()) == values.end();
}

/// The first row with this category; as many as there are rows where none has it.
std::size_t first_row(const Table& table, std::size_t column, std::size_t category) {
  std::size_t row = 0;
  while (row < table.rows() && table.code(row, column) != static_cast<std::int32_t>(category)) ++row;
  return row;
}

/// One stray word makes a column of numbers or dates a category. For dates the row is named, because its cell
/// has to be corrected.
std::string stray_word(const Table& table, std::size_t column, bool flags) {
  const std::vector<std::string>& categories = table.categories(column);
  const std::size_t count = categories.size();
  std::size_t texts = 0, dates = 0, text = count, no_date = count;
  double number = 0;
  for (std::size_t i = count; i-- > 0;) {
    const CellKind kind = classify(categories[i], number);
    if (kind == CellKind::kDate) {
      ++dates;
      continue;
    }
    no_date = i;
    if (kind == CellKind::kText) text = i, ++texts;
  }
  if (2 * dates > count && dates < count) {
    const std::size_t row = first_row(table, column, no_date);
    if (row == table.rows()) return "";  // listed, but in no row
    return fmt::format(
        "{} of them are dates, but not '{}' in data row {}; correct it or leave it empty if all should be",
        grouped(dates), shown(categories[no_date]), row + 1);
  }
  if (texts == 0 || 2 * texts >= count) return "";
  return fmt::format("{} of them are numbers, but not '{}'; {} if all should be", grouped(count - texts),
                     shown(categories[text]),
                     flags ? fmt::format("use --number {}", shell_word(table.name(column)))
                           : "convert the column to numbers");
}

std::string category_hint(const Table& table, std::size_t column, bool flags) {
  if (std::string hint = stray_word(table, column, flags); !hint.empty()) return hint;
  const std::vector<std::string>& categories = table.categories(column);
  std::vector<std::int32_t> codes(table.rows());
  table.copy_codes(column, 0, codes.size(), codes.data());
  const auto missing = static_cast<std::size_t>(std::count(codes.begin(), codes.end(), Table::kMissing));
  if (!plan::names_rows(categories.size(), table.rows() - missing)) return "";
  return flags ? fmt::format("few rows each: not used; drop it with --ignore {}",
                             shell_word(table.name(column)))
               : "few rows each: not used";
}

/// Whether a number is a year or a day written YYYYMMDD. As seconds since 1970 these are odd moments of that
/// year, and none is a midnight: those are multiples of 100.
bool looks_like_a_date(double value) {
  if (!(value >= kFirstYear && value < 1e4 * kLastYear) || value != std::floor(value)) return false;
  const int digits = static_cast<int>(value);
  if (digits < kLastYear) return true;
  const std::string text = fmt::format("{:04}-{:02}-{:02}", digits / 10000, digits / 100 % 100, digits % 100);
  return digits >= 1e4 * kFirstYear && seconds_since_1970(text).has_value();
}

/// Numbers among dates are read as seconds since 1970, which is not what a year or 20240229 means.
std::string date_hint(const Table& table, std::size_t column) {
  std::vector<double> values(table.rows());
  table.copy_numbers(column, 0, values.size(), values.data());
  const auto count = static_cast<std::size_t>(std::count_if(values.begin(), values.end(), looks_like_a_date));
  if (count == 0 || 2 * count >= values.size()) return "";
  const auto first = std::find_if(values.begin(), values.end(), looks_like_a_date);
  return fmt::format(
      "{} number{} among its dates, first {} in data row {}: read as seconds since 1970; write {} like "
      "2024-02-29",
      grouped(count), count == 1 ? "" : "s", *first, first - values.begin() + 1, count == 1 ? "it" : "them");
}

}  // namespace

std::string column_hint(const Table& table, std::size_t column, bool flags) {
  if (table.type(column) == ColumnType::kCategory) return category_hint(table, column, flags);
  if (table.holds_dates(column)) return date_hint(table, column);
  if (!may_count_rows(table, column)) return "";
  return fmt::format("a different integer in every row; drop it{} if it is a row number",
                     flags ? fmt::format(" with --ignore {}", shell_word(table.name(column))) : "");
}

}  // namespace mirrorball::table
