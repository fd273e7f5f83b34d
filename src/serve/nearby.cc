#include "serve/nearby.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/random.h"
#include "base/sample_rows.h"

namespace mirrorball::serve {
namespace {

/// Rows that two independent features have within both windows.
constexpr double kExpected = 16;
/// Pairs that meet less often by chance than this are not judged.
constexpr double kLeastExpected = 4;
constexpr double kLeastWindow = 0.03;
/// Of the range of the central 98% of the values.
constexpr double kReach = 0.06;

std::string category_of(const Table& table, std::size_t row, std::size_t column) {
  const std::int32_t code = table.code(row, column);
  return code == Table::kMissing ? "" : table.categories(column)[static_cast<std::size_t>(code)];
}

std::size_t count(const std::vector<std::uint64_t>& one, const std::vector<std::uint64_t>& other) {
  std::size_t both = 0;
  for (std::size_t i = 0; i < one.size(); ++i)
    both += static_cast<std::size_t>(std::popcount(one[i] & other[i]));
  return both;
}

}  // namespace

Nearby::Nearby(const Schema& schema, const Table& table) : schema_(schema) {
  const std::vector<std::size_t> chosen =
      sample_rows(table.rows(), kMostRows, Stream(0, Purpose::kBackground, 0));
  rows_ = chosen.size();
  window_ = std::max(kLeastWindow,
                     0.5 * std::sqrt(kExpected / static_cast<double>(std::max<std::size_t>(rows_, 1))));
  for (const ColumnSchema& feature : schema.features) {
    const std::size_t at = table.column(feature.name);
    Column& column = columns_.emplace_back();
    for (std::size_t row : chosen) {
      if (feature.is_number()) {
        column.values.push_back(table.number(row, at));
      } else {
        column.categories.push_back(category_of(table, row, at));
      }
    }
    std::copy_if(column.values.begin(), column.values.end(), std::back_inserter(column.sorted),
                 [](double value) { return !std::isnan(value); });
    std::sort(column.sorted.begin(), column.sorted.end());
    if (column.sorted.empty()) continue;
    const std::size_t end = column.sorted.size() / 100;
    column.reach = kReach * (column.sorted[column.sorted.size() - 1 - end] - column.sorted[end]);
  }
}

Nearby::Mask Nearby::near_number(const Column& column, double value) const {
  Mask mask((rows_ + 63) / 64);
  const auto mark = [&](std::size_t row) { mask[row / 64] |= std::uint64_t{1} << (row % 64); };
  if (std::isnan(value)) {
    for (std::size_t row = 0; row < rows_; ++row)
      if (std::isnan(column.values[row])) mark(row);
    return mask;
  }
  const std::vector<double>& sorted = column.sorted;
  if (sorted.empty() || value < sorted.front() || value > sorted.back()) return mask;
  // As many values on each side as the window has; more on one side where the other has too few.
  const auto half = static_cast<std::ptrdiff_t>(window_ * static_cast<double>(sorted.size())),
             last = static_cast<std::ptrdiff_t>(sorted.size()) - 1;
  const std::ptrdiff_t below = std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin(),
                       above = std::upper_bound(sorted.begin(), sorted.end(), value) - sorted.begin();
  const std::ptrdiff_t first = std::max<std::ptrdiff_t>(0, std::min(below - half, last - 2 * half)),
                       end = std::min(last, std::max(above - 1 + half, 2 * half));
  const double low = std::max(sorted[static_cast<std::size_t>(first)], value - column.reach),
               high = std::min(sorted[static_cast<std::size_t>(end)], value + column.reach);
  for (std::size_t row = 0; row < rows_; ++row)
    if (column.values[row] >= low && column.values[row] <= high) mark(row);
  return mask;
}

Nearby::Mask Nearby::near(std::size_t feature, const Table& table, std::size_t row) const {
  const Column& column = columns_[feature];
  const std::size_t at = table.column(schema_.features[feature].name);
  if (schema_.features[feature].is_number()) return near_number(column, table.number(row, at));
  const std::string category = category_of(table, row, at);
  Mask mask((rows_ + 63) / 64);
  for (std::size_t i = 0; i < rows_; ++i)
    if (column.categories[i] == category) mask[i / 64] |= std::uint64_t{1} << (i % 64);
  return mask;
}

std::vector<Nearby::Found> Nearby::along(const Table& rows, std::size_t feature) const {
  if (rows_ < kLeastRows) return {};
  std::vector<Mask> others(columns_.size());
  for (std::size_t j = 0; j < columns_.size(); ++j)
    if (j != feature) others[j] = near(j, rows, 0);
  std::vector<Found> found;
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    const Mask here = near(feature, rows, row);
    Found& fewest = found.emplace_back(Found{count(here, here), ""});
    if (fewest.rows == 0) fewest.apart = schema_.features[feature].name;
    const auto alone = static_cast<double>(fewest.rows);
    for (std::size_t j = 0; j < columns_.size() && fewest.rows > 0; ++j) {
      if (j == feature) continue;
      const auto expected =
          alone * static_cast<double>(count(others[j], others[j])) / static_cast<double>(rows_);
      if (expected < kLeastExpected) continue;
      const std::size_t both = count(here, others[j]);
      if (both < fewest.rows) fewest = {both, both == 0 ? schema_.features[j].name : ""};
    }
  }
  return found;
}

std::vector<double> Nearby::values(std::size_t feature, std::size_t most) const {
  const std::vector<double>& sorted = columns_[feature].sorted;
  std::vector<double> some;
  for (std::size_t i = 0; i < std::min(most, sorted.size()); ++i)
    some.push_back(sorted[(2 * i + 1) * sorted.size() / (2 * std::min(most, sorted.size()))]);
  return some;
}

}  // namespace mirrorball::serve
