#include "report/reliability.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mirrorball::report {
namespace {

constexpr std::size_t kManyRows = 400;  ///< so many fill twenty bins
constexpr std::size_t kGroups = 10, kLeastGroup = 10;
constexpr double kOutside = 0.05;

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

}  // namespace

Reliability reliability(const Forecasts& all, std::size_t target) {
  Reliability result;
  const double n = static_cast<double>(all.rows);
  const std::size_t bins = all.rows >= kManyRows ? 20 : 10;
  result.pit.assign(bins, 0.0);
  // Bonferroni: no more than 5% of calibrated forecasts have a bin outside.
  result.pit_band = scoring::chance_band(all.rows, 1.0 / static_cast<double>(bins),
                                         1 - kOutside / static_cast<double>(bins));
  double square = 0;
  for (std::size_t row = 0; row < all.rows; ++row) {
    const double pit = all.at(row, target).rank, error = all.outcome(row, target) - all.at(row, target).mean;
    result.pit[std::min(bins - 1, static_cast<std::size_t>(pit * static_cast<double>(bins)))] += 1 / n;
    result.bias += error / n;
    square += error * error / n;
  }
  result.bias_error = std::sqrt(std::max(0.0, square - result.bias * result.bias) / n);
  add_spread_groups(all, target, result);
  return result;
}

}  // namespace mirrorball::report
