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

namespace mirrorball::table {
namespace {

constexpr std::size_t kManyRows = 100;  ///< so many numbers rarely differ all
constexpr double kSparse = 20;          ///< of so many rows at least one is there

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
  if (table.rows() < kManyRows || table.holds_dates(column) || !whole(table.number(0, column))) return false;
  std::vector<double> values(table.rows());
  table.copy_numbers(column, 0, values.size(), values.data());
  if (!std::all_of(values.begin(), values.end(), whole)) return false;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  if (*most - *least >= kSparse * static_cast<double>(values.size())) return false;
  std::sort(values.begin(), values.end());
  return std::adjacent_find(values.begin(), values.end()) == values.end();
}

/// One stray word makes a column of numbers a category.
std::string category_hint(const Table& table, std::size_t column, bool flags) {
  const std::vector<std::string>& categories = table.categories(column);
  double number = 0;
  const auto is_text = [&](const std::string& text) { return classify(text, number) == CellKind::kText; };
  const auto texts = static_cast<std::size_t>(std::count_if(categories.begin(), categories.end(), is_text));
  if (texts > 0 && 2 * texts < categories.size())
    return fmt::format("{} of them are numbers, but not '{}'; {} if all should be",
                       grouped(categories.size() - texts),
                       shown(*std::find_if(categories.begin(), categories.end(), is_text)),
                       flags ? fmt::format("use --number {}", shell_word(table.name(column)))
                             : "convert the column to numbers");
  std::vector<std::int32_t> codes(table.rows());
  table.copy_codes(column, 0, codes.size(), codes.data());
  const auto missing = static_cast<std::size_t>(std::count(codes.begin(), codes.end(), Table::kMissing));
  if (!plan::names_rows(categories.size(), table.rows() - missing)) return "";
  return flags ? fmt::format("few rows each: not used; drop it with --ignore {}",
                             shell_word(table.name(column)))
               : "few rows each: not used";
}

}  // namespace

std::string column_hint(const Table& table, std::size_t column, bool flags) {
  if (table.type(column) == ColumnType::kCategory) return category_hint(table, column, flags);
  if (!may_count_rows(table, column)) return "";
  return fmt::format("a different integer in every row; drop it{} if it is a row number",
                     flags ? fmt::format(" with --ignore {}", shell_word(table.name(column))) : "");
}

}  // namespace mirrorball::table
