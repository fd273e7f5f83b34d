#include "model/fit_columns.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.h"
#include "table/source_prefix.h"

namespace mirrorball::model {
namespace {

/// Numbers of a column that must have one in every row.
std::vector<double> complete_column(const Table& table, const std::string& name, const char* role) {
  const std::size_t column = table.column(name);
  if (table.type(column) != ColumnType::kNumber)
    bad_input("{}the {} '{}' holds text, for example '{}': it must be numbers", table::source_prefix(table),
              role, name, table.categories(column).front());
  std::vector<double> values(table.rows());
  table.copy_numbers(column, 0, values.size(), values.data());
  const auto is_gap = [](double value) { return std::isnan(value); };
  const auto gaps = std::count_if(values.begin(), values.end(), is_gap);
  if (gaps > 0 && static_cast<std::size_t>(gaps) == values.size())
    bad_input("{}the {} '{}' is empty in all {} rows", table::source_prefix(table), role, name,
              values.size());
  if (gaps > 0)
    bad_input("{}the {} '{}' is empty in {} of {} rows, first in data row {}: remove these rows",
              table::source_prefix(table), role, name, gaps, values.size(),
              std::find_if(values.begin(), values.end(), is_gap) - values.begin() + 1);
  return values;
}

std::vector<double> complete_weights(const Table& table, const std::string& name) {
  std::vector<double> values = complete_column(table, name, "weight");
  const auto bad = std::find_if(values.begin(), values.end(), [](double value) { return value < 0; });
  if (bad != values.end())
    bad_input("{}the weight '{}' is {:g} in data row {}: weights are 0 or more", table::source_prefix(table),
              name, *bad, bad - values.begin() + 1);
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

std::vector<std::string> feature_names(const Table& table, const Roles& roles) {
  if (roles.targets.empty()) bad_input("no target is named: say which column to predict");
  std::set<std::string> taken;
  for (const std::string& target : roles.targets) {
    table.column(target);
    if (!taken.insert(target).second) bad_input("the target '{}' is named twice", target);
  }
  if (!roles.weight.empty() && !taken.insert(table.name(table.column(roles.weight))).second)
    bad_input("the weight column '{}' is a target too", roles.weight);
  const std::vector<std::string> all = table.header();  // what is ignored need not have been read
  for (const std::string& name : roles.ignore) {
    if (std::find(all.begin(), all.end(), name) == all.end()) table.column(name);
    taken.insert(name);
  }
  for (const std::string& target : roles.targets)
    if (std::count(roles.ignore.begin(), roles.ignore.end(), target))
      bad_input("the target '{}' is ignored too", target);
  std::vector<std::string> features;
  for (std::size_t column = 0; column < table.columns(); ++column)
    if (table.has_name(column) && !taken.count(table.name(column))) features.push_back(table.name(column));
  if (features.empty())
    bad_input("{}no feature is left: of {} columns, all are targets, weights, ignored or without a name",
              table::source_prefix(table), all.size());
  return features;
}

std::vector<double> target_column(const FitTables& tables, const std::string& name) {
  return both(tables, [&](const Table& table) { return complete_column(table, name, "target"); });
}

std::vector<double> weight_column(const FitTables& tables, const std::string& name) {
  return both(tables, [&](const Table& table) { return complete_weights(table, name); });
}

}  // namespace mirrorball::model
