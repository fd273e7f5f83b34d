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
#include "table/other_forms.h"

namespace mirrorball::table {
namespace {

constexpr std::size_t kManyRows = 100;              ///< so many numbers rarely differ all
constexpr double kNearlyAll = 0.9;                  ///< of the values: the others may be slips
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

std::size_t filled_rows(const Table& table, std::size_t column) {
  std::vector<std::int32_t> codes(table.rows());
  table.copy_codes(column, 0, codes.size(), codes.data());
  return codes.size() - static_cast<std::size_t>(std::count(codes.begin(), codes.end(), Table::kMissing));
}

/// The first row with this category; as many as there are rows where none has it.
std::size_t first_row(const Table& table, std::size_t column, std::size_t category) {
  std::size_t row = 0;
  while (row < table.rows() && table.code(row, column) != static_cast<std::int32_t>(category)) ++row;
  return row;
}

/// What the categories of a column are, as texts.
struct Texts {
  std::size_t numbers = 0, dates = 0;
  std::size_t other_numbers = 0, other_dates = 0;  ///< in a form that is not read
  std::size_t no_number, no_date;                  ///< the first of each; as many as there are where none is
  std::size_t other_number = 0, other_date = 0;    ///< the first of each, if there is one
};

Texts count_texts(const std::vector<std::string>& categories) {
  const std::size_t count = categories.size();
  Texts found;
  found.no_number = found.no_date = count;
  double number = 0;
  for (std::size_t i = count; i-- > 0;) {
    const CellKind kind = classify(categories[i], number);
    if (kind != CellKind::kNumber) found.no_number = i;
    if (kind != CellKind::kDate) found.no_date = i;
    found.numbers += kind == CellKind::kNumber;
    found.dates += kind == CellKind::kDate;
    if (kind != CellKind::kText) continue;
    const bool as_number = number_in_another_form(categories[i]);
    const bool as_date = !as_number && date_in_another_form(categories[i]);
    found.other_numbers += as_number;
    found.other_dates += as_date;
    if (as_number) found.other_number = i;
    if (as_date) found.other_date = i;
  }
  return found;
}

/// A few stray words make a column of numbers or dates a category. For dates the row is named, because its
/// cell has to be corrected.
std::string stray_word(const Table& table, std::size_t column, const Texts& texts) {
  const std::vector<std::string>& categories = table.categories(column);
  const std::size_t count = categories.size();
  if (2 * texts.dates > count && texts.dates < count) {
    const std::size_t row = first_row(table, column, texts.no_date);
    if (row == table.rows()) return "";  // listed, but in no row
    return fmt::format(
        "is read as text because of '{}' in data row {} ({} of its {} values are dates); correct that cell, "
        "or "
        "replace it by a missing value, to use the column as dates",
        shown(categories[texts.no_date]), row + 1, grouped(texts.dates), grouped(count));
  }
  if (2 * texts.numbers <= count || texts.numbers == count) return "";
  return fmt::format(
      "is read as text because of '{}' ({} of its {} values are numbers); replace such cells by missing "
      "values "
      "to use the column as numbers",
      shown(categories[texts.no_number]), grouped(texts.numbers), grouped(count));
}

/// Numbers with signs of money or dates of another form are texts that the model learns little from.
std::string other_form(const Table& table, std::size_t column, const Texts& texts) {
  const std::vector<std::string>& categories = table.categories(column);
  const bool numbers = texts.other_numbers > texts.other_dates;
  const std::size_t other = numbers ? texts.other_numbers : texts.other_dates,
                    read = numbers ? texts.numbers : texts.dates;
  const auto count = static_cast<double>(categories.size());
  if (other <= read || static_cast<double>(other + read) < kNearlyAll * count) return "";
  return fmt::format("looks like {0}, for example '{1}'; write them like {2} to use the column as {0}",
                     numbers ? "numbers" : "dates",
                     shown(categories[numbers ? texts.other_number : texts.other_date]),
                     numbers ? "1234.5" : "2024-02-29");
}

std::string category_hint(const Table& table, std::size_t column, bool declared) {
  if (!declared) {
    const Texts texts = count_texts(table.categories(column));
    if (std::string hint = other_form(table, column, texts); !hint.empty()) return hint;
    if (std::string hint = stray_word(table, column, texts); !hint.empty()) return hint;
  }
  if (!names_its_rows(table, column)) return "";
  return fmt::format("is not used: it has {} different texts in {} rows",
                     grouped(table.categories(column).size()), grouped(filled_rows(table, column)));
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
      "has {} number{} among its dates, first {} in data row {}: read as seconds since 1970; write {} like "
      "2024-02-29",
      grouped(count), count == 1 ? "" : "s", *first, first - values.begin() + 1, count == 1 ? "it" : "them");
}

}  // namespace

bool names_its_rows(const Table& table, std::size_t column) {
  return table.type(column) == ColumnType::kCategory &&
         plan::names_rows(table.categories(column).size(), filled_rows(table, column));
}

std::string column_hint(const Table& table, std::size_t column, bool declared, bool flags) {
  const std::string& name = table.name(column);
  std::string hint;
  if (table.type(column) == ColumnType::kCategory)
    hint = category_hint(table, column, declared);
  else if (declared)
    return "";
  else if (table.holds_dates(column))
    hint = date_hint(table, column);
  else if (may_count_rows(table, column))
    hint = fmt::format("has a different integer in every row; drop it{} if it is a row number",
                       flags ? fmt::format(" with --ignore {}", shell_word(name)) : "");
  return hint.empty() ? "" : fmt::format("column '{}' {}", name, hint);
}

}  // namespace mirrorball::table
