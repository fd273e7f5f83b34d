#include "report/slices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/order_statistics.h"
#include "report/number_text.h"

namespace mirrorball::report {
namespace {

std::vector<Slice> number_slices(const Table& table, std::size_t column, std::size_t most) {
  std::vector<double> values(table.rows());
  table.copy_numbers(column, 0, values.size(), values.data());
  std::vector<std::uint32_t> order, missing;
  for (std::uint32_t row = 0; row < values.size(); ++row)
    (std::isnan(values[row]) ? missing : order).push_back(row);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return values[a] < values[b]; });
  std::vector<Slice> result;
  for (std::size_t begin = 0, end; begin < order.size(); begin = end) {
    const std::size_t left = most > result.size() ? most - result.size() : 1;
    end = begin + std::max<std::size_t>(1, (order.size() - begin) / left);
    while (end < order.size() && values[order[end]] == values[order[end - 1]]) ++end;
    Slice slice;
    slice.rows.assign(order.begin() + static_cast<std::ptrdiff_t>(begin),
                      order.begin() + static_cast<std::ptrdiff_t>(end));
    slice.low = values[order[begin]];
    slice.high = values[order[end - 1]];
    slice.middle = values[order[begin + (end - begin) / 2]];
    std::sort(slice.rows.begin(), slice.rows.end());
    result.push_back(std::move(slice));
  }
  if (!missing.empty()) result.push_back({Slice::Kind::kMissing, 0, 0, 0, "", std::move(missing)});
  return result;
}

std::vector<Slice> category_slices(const Table& table, std::size_t column, std::size_t most) {
  std::vector<Slice> found;
  for (const std::string& category : table.categories(column))
    found.push_back({Slice::Kind::kCategory, 0, 0, 0, category, {}});
  Slice missing{Slice::Kind::kMissing, 0, 0, 0, "", {}};
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    const std::int32_t code = table.code(row, column);
    (code == Table::kMissing ? missing : found[static_cast<std::size_t>(code)]).rows.push_back(row);
  }
  std::erase_if(found, [](const Slice& one) { return one.rows.empty(); });
  std::stable_sort(found.begin(), found.end(),
                   [](const Slice& a, const Slice& b) { return a.rows.size() > b.rows.size(); });
  if (found.size() > most) {
    Slice others{Slice::Kind::kOtherCategories, 0, 0, 0, "", {}};
    for (std::size_t i = most - 1; i < found.size(); ++i)
      others.rows.insert(others.rows.end(), found[i].rows.begin(), found[i].rows.end());
    std::sort(others.rows.begin(), others.rows.end());
    found.resize(most - 1);
    found.push_back(std::move(others));
  }
  if (!missing.rows.empty()) found.push_back(std::move(missing));
  return found;
}

std::array<double, kFanLevels.size()> pooled_quantiles(std::vector<float>& values) {
  std::sort(values.begin(), values.end());
  std::array<double, kFanLevels.size()> result{};
  for (std::size_t k = 0; k < result.size() && !values.empty(); ++k) {
    // Values stand for equal shares, so the one at share u is the middle of its own.
    const double at = std::clamp(kFanLevels[k] * static_cast<double>(values.size()) - 0.5, 0.0,
                                 static_cast<double>(values.size() - 1));
    const auto [below, above, weight] = place_at(at, values.size());
    result[k] = values[below] + weight * (values[above] - values[below]);
  }
  return result;
}

Pooled pooled(const Forecasts& all, std::size_t target, const std::vector<std::uint32_t>& rows) {
  Pooled result;
  std::vector<float> values;
  for (std::uint32_t row : rows) {
    const auto& points = all.at(row, target).points;
    values.insert(values.end(), points.begin(), points.end());
  }
  result.forecast = pooled_quantiles(values);
  if (!all.scored()) return result;
  values.clear();
  for (std::uint32_t row : rows) values.push_back(static_cast<float>(all.outcome(row, target)));
  result.outcome = pooled_quantiles(values);
  return result;
}

}  // namespace

std::string Slice::words(const ColumnSchema& feature) const {
  switch (kind) {
    case Kind::kRange:
      return low == high ? fmt::format("{} = {}", feature.name, value_of(feature, low))
                         : fmt::format("{} from {}", feature.name, range_of(feature, low, high));
    case Kind::kCategory:
      return fmt::format("{} = {}", feature.name, category);
    case Kind::kOtherCategories:
      return fmt::format("a rare category of {}", feature.name);
    case Kind::kMissing:
      return fmt::format("missing {}", feature.name);
  }
  return {};
}

std::vector<Slice> slices(const Table& table, const ColumnSchema& feature, std::size_t most) {
  const std::size_t column = table.column(feature.name);
  return feature.is_number() ? number_slices(table, column, most) : category_slices(table, column, most);
}

std::vector<PooledSlice> pooled_slices(const Forecasts& all, const Table& table, const ColumnSchema& feature,
                                       std::size_t most) {
  std::vector<PooledSlice> result;
  for (Slice& slice : slices(table, feature, most)) {
    PooledSlice one{std::move(slice), 0, {}};
    for (std::size_t t = 0; t < all.targets; ++t) one.targets.push_back(pooled(all, t, one.slice.rows));
    for (std::size_t t = 0; t < all.targets && all.scored(); ++t)
      for (std::uint32_t row : one.slice.rows) {
        one.targets[t].covered += all.at(row, t).covers(all.outcome(row, t));
        one.targets[t].mass += all.at(row, t).mass / static_cast<double>(one.slice.rows.size());
      }
    one.rows = std::exchange(one.slice.rows, {}).size();
    result.push_back(std::move(one));
  }
  return result;
}

}  // namespace mirrorball::report
