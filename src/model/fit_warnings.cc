#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "mirrorball/model.h"
#include "model/far_target.h"

namespace mirrorball {
namespace {

std::optional<std::string> constant_target(const std::vector<double>& values, const std::string& name) {
  const auto other = [&](double value) { return value != values[0]; };
  if (values.size() < 2 || std::any_of(values.begin(), values.end(), other)) return {};
  return fmt::format("the target '{}' is {:g} in all {} rows, so there is nothing to learn", name, values[0],
                     values.size());
}

}  // namespace

std::vector<ColumnWarning> fit_warnings(const Table& table, const Roles& roles) {
  std::vector<ColumnWarning> found;
  for (const std::string& name : roles.targets) {
    const std::size_t column = table.column(name);
    if (table.type(column) != ColumnType::kNumber) continue;  // `fit` refuses it
    std::vector<double> values(table.rows());
    table.copy_numbers(column, 0, values.size(), values.data());
    if (std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); })) continue;
    if (const std::optional<std::string> text = constant_target(values, name)) found.push_back({name, *text});
    if (const std::optional<std::string> text = model::far_target(values, name))
      found.push_back({name, *text});
  }
  return found;
}

}  // namespace mirrorball
