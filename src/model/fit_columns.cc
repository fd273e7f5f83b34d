#include "model/fit_columns.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

#include "base/contains.h"
#include "base/error.h"
#include "base/suggest.h"
#include "table/cells.h"
#include "table/other_forms.h"
#include "table/source_prefix.h"

namespace mirrorball::model {
namespace {

/// Throws where `missing` holds for a row, which must have a value.
template <class Value, class Missing>
void check_complete(const Table& table, const std::string& name, const char* role,
                    const std::vector<Value>& values, Missing missing) {
  const auto count = static_cast<std::size_t>(std::count_if(values.begin(), values.end(), missing));
  if (count == 0) return;
  const auto first = std::find_if(values.begin(), values.end(), missing) - values.begin();
  refuse_missing(table, name, role, count, values.size(), static_cast<std::size_t>(first));
}

/// Numbers of a column that must have one in every row.
std::vector<double> complete_column(const Table& table, const std::string& name, const char* role) {
  const std::size_t column = table.column(name);
  if (table.type(column) != ColumnType::kNumber)
    bad_input("{}the {} '{}' contains text, for example '{}': it must be numeric",
              table::source_prefix(table), role, name, table::shown(table.categories(column).front()));
  std::vector<double> values(table.rows());
  table.copy_numbers(column, 0, values.size(), values.data());
  check_complete(table, name, role, values, [](double value) { return std::isnan(value); });
  return values;
}

/// Whether most of the values are words: classes, and not numbers with a stray word among them.
bool mostly_words(const std::vector<std::string>& values) {
  double number = 0;
  const auto words = std::count_if(values.begin(), values.end(), [&](const std::string& value) {
    return table::classify(value, number) == table::CellKind::kText;
  });
  return 2 * static_cast<std::size_t>(words) > values.size();
}

std::vector<double> complete_weights(const Table& table, const std::string& name) {
  std::vector<double> values = complete_column(table, name, "weight");
  check_weights(table, name, values, 0);
  return values;
}

/// What `read` gives for both tables, one after the other.
template <class Read>
std::vector<double> both(const FitTables& tables, Read read) {
  std::vector<double> values = read(tables.train);
  if (tables.valid) {
    const std::vector<double> more = read(*tables.valid);
    values.insert(values.end(), more.begin(), more.end());
  }
  return values;
}

}  // namespace

void refuse_missing(const Table& table, const std::string& name, const char* role, std::size_t count,
                    std::size_t rows, std::size_t first) {
  if (count == rows)
    bad_input("{}the {} '{}' is missing in all {} rows", table::source_prefix(table), role, name, rows);
  bad_input("{}the {} '{}' is missing in {} of {} rows, first in data row {}: remove these rows",
            table::source_prefix(table), role, name, count, rows, first + 1);
}

void check_weights(const Table& table, const std::string& name, std::span<const double> values,
                   std::size_t first_row) {
  const auto bad = std::find_if(values.begin(), values.end(), [](double value) { return value < 0; });
  if (bad != values.end())
    bad_input("{}the weight '{}' is {:g} in data row {}: weights must be 0 or more",
              table::source_prefix(table), name, *bad,
              first_row + static_cast<std::size_t>(bad - values.begin()) + 1);
}

std::vector<std::string> feature_names(const Table& table, const Roles& roles) {
  if (roles.targets.empty()) bad_input("no target given: name the column to predict");
  std::set<std::string> taken;
  for (const std::string& target : roles.targets) {
    table.column(target);
    if (!taken.insert(target).second) bad_input("the target '{}' is given twice", target);
  }
  if (!roles.weight.empty() && !taken.insert(table.name(table.column(roles.weight))).second)
    bad_input("the column '{}' cannot be both weight and target", roles.weight);
  if (!roles.valid_by.empty() && !roles.group.empty())
    bad_input("valid_by '{}' and group '{}' are both given: rows are held out by one of them", roles.valid_by,
              roles.group);
  if (!roles.valid_by.empty() && taken.count(table.name(table.column(roles.valid_by))))
    bad_input("the column '{}' that orders the validation rows is a target or the weight", roles.valid_by);
  if (!roles.group.empty() && !taken.insert(table.name(table.column(roles.group))).second)
    bad_input("the group column '{}' is a target or the weight", roles.group);
  if (roles.group_is_feature) taken.erase(roles.group);
  const std::vector<std::string> all = table.header();  // what is ignored need not have been read
  for (const std::string& name : roles.ignore) {
    if (!contains(all, name)) table.column(name);
    taken.insert(name);
  }
  for (const std::string& target : roles.targets)
    if (contains(roles.ignore, target)) bad_input("the target '{}' cannot be ignored too", target);
  std::vector<std::string> features;
  for (std::size_t column = 0; column < table.columns(); ++column)
    if (table.has_name(column) && !taken.count(table.name(column))) features.push_back(table.name(column));
  if (features.empty())
    bad_input("{}no features left: all {} columns are targets, weights, groups, ignored or unnamed",
              table::source_prefix(table), all.size());
  return features;
}

void check_target(const Table& table, const std::string& name) {
  const std::size_t column = table.column(name);
  if (table.type(column) == ColumnType::kNumber && table.holds_dates(column))
    bad_input(
        "{}the target '{}' contains dates: only numeric targets are supported; convert it to a number, for "
        "example the days since a fixed date",
        table::source_prefix(table), name);
  if (table.type(column) != ColumnType::kCategory || !mostly_words(table.categories(column))) return;
  std::vector<std::string> values;
  for (const std::string& value : table.categories(column)) values.push_back(table::shown(value));
  const std::vector<std::string>& texts = table.categories(column);
  double number = 0;
  const bool numbers = std::all_of(texts.begin(), texts.end(), [&](const std::string& text) {
    return table::number_in_another_form(text) || table::classify(text, number) == table::CellKind::kNumber;
  });
  bad_input("{}the target '{}' contains text ({}): {}", table::source_prefix(table), name, listing(values, 3),
            numbers
                ? "write its numbers like 1234.5"
                : "only numeric targets are supported, not classes; encode two classes as 0 and 1, and the "
                  "predicted mean is the probability of 1");
}

std::vector<double> order_column(const Table& table, const std::string& name) {
  return complete_column(table, name, "validation order");
}

std::vector<std::uint32_t> group_column(const Table& table, const std::string& name) {
  const std::size_t column = table.column(name), rows = table.rows();
  std::vector<std::uint32_t> groups(rows);
  if (table.type(column) == ColumnType::kNumber) {
    const std::vector<double> values = complete_column(table, name, "group");
    std::unordered_map<double, std::uint32_t> numbers;
    for (std::size_t row = 0; row < rows; ++row)
      groups[row] =
          numbers.try_emplace(values[row], static_cast<std::uint32_t>(numbers.size())).first->second;
    return groups;
  }
  std::vector<std::int32_t> codes(rows);
  table.copy_codes(column, 0, rows, codes.data());
  check_complete(table, name, "group", codes, [](std::int32_t code) { return code == Table::kMissing; });
  std::unordered_map<std::int32_t, std::uint32_t> numbers;
  for (std::size_t row = 0; row < rows; ++row)
    groups[row] = numbers.try_emplace(codes[row], static_cast<std::uint32_t>(numbers.size())).first->second;
  return groups;
}

std::vector<double> target_column(const FitTables& tables, const std::string& name) {
  check_target(tables.train, name);
  return both(tables, [&](const Table& table) { return complete_column(table, name, "target"); });
}

std::vector<double> weight_column(const FitTables& tables, const std::string& name) {
  return both(tables, [&](const Table& table) { return complete_weights(table, name); });
}

}  // namespace mirrorball::model
