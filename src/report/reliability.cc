#include "report/reliability.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mirrorball::report {
namespace {

constexpr std::size_t kManyRows = 400;  ///< so many fill twenty bins
constexpr std::size_t kGroups = 10, kLeastGroup = 10;

void add_spread_groups(const Forecasts& all, std::size_t target, Reliability& result) {
  const std::size_t groups = std::min(kGroups, all.rows / kLeastGroup);
  std::vector<std::size_t> order(all.rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return all.at(a, target).sd < all.at(b, target).sd; });
  for (std::size_t group = 0; group < groups; ++group) {
    const std::size_t begin = group * all.rows / groups, end = (group + 1) * all.rows / groups;
    double spread = 0, error = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const RowForecast& row = all.at(order[i], target);
      spread += row.sd * row.sd;
      error += std::pow(all.outcome(order[i], target) - row.mean, 2);
    }
    result.spread.push_back(std::sqrt(spread / static_cast<double>(end - begin)));
    result.error.push_back(std::sqrt(error / static_cast<double>(end - begin)));
  }
}

Promise promise(const Forecasts& all, std::size_t target) {
  const auto [level, covered, width] = all.ninety(target);
  if (width == 0 && covered >= level) return Promise::kExact;
  if (chance_band(all.rows, level).contains(covered)) return Promise::kKept;
  return covered < level ? Promise::kTooNarrow : Promise::kTooWide;
}

}  // namespace

Reliability reliability(const Forecasts& all, std::size_t target) {
  Reliability result;
  result.promise = promise(all, target);
  for (const IntervalScore& one : all.scores.targets[target].intervals)
    result.interval_bands.push_back(chance_band(all.rows, one.level));
  const double n = static_cast<double>(all.rows);
  const std::size_t bins = all.rows >= kManyRows ? 20 : 10;
  result.pit.assign(bins, 0.0);
  result.pit_band = chance_band(all.rows, 1.0 / static_cast<double>(bins));
  for (int k = 1; k < 20; ++k) result.level.push_back(k / 20.0);
  result.below.assign(result.level.size(), 0.0);
  double square = 0;
  for (std::size_t row = 0; row < all.rows; ++row) {
    const double pit = all.at(row, target).pit, error = all.outcome(row, target) - all.at(row, target).mean;
    result.pit[std::min(bins - 1, static_cast<std::size_t>(pit * static_cast<double>(bins)))] += 1 / n;
    for (std::size_t k = 0; k < result.level.size(); ++k) result.below[k] += (pit <= result.level[k]) / n;
    result.bias += error / n;
    square += error * error / n;
  }
  result.bias_error = std::sqrt(std::max(0.0, square - result.bias * result.bias) / n);
  for (double level : result.level) result.band.push_back(chance_band(all.rows, level));
  add_spread_groups(all, target, result);
  return result;
}

}  // namespace mirrorball::report
