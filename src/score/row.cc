#include "score/row.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/order_statistics.h"
#include "predictive/kde.h"
#include "score/forecast.h"

namespace mirrorball::scoring {
namespace {

constexpr int kBins = 10;

/// Number of predicted deciles below y: bin k is (decile k, decile k + 1], the outer ones open to the
/// outside.
std::uint8_t quantile_bin(std::span<const double> sorted, double y) {
  std::uint8_t bin = 0;
  for (int decile = 1; decile < kBins; ++decile) bin += sorted_quantile(sorted, decile / double{kBins}) < y;
  return bin;
}

}  // namespace

RowScorer::RowScorer(std::size_t samples, std::size_t targets) : draws_(samples, targets), sorted_(samples) {}

double RowScorer::score(const Predictive& forecast, std::size_t row, std::span<const double> observed,
                        std::span<const double> levels, RowScore* scores, RowInterval* intervals) {
  for (std::size_t target = 0; target < observed.size(); ++target) {
    load(forecast, row, target);
    scores[target] = score_target(observed[target], levels, intervals + target * levels.size());
  }
  return observed.size() == 1 ? scores[0].crps : columns_energy_score(draws_, observed, false);
}

/// The draws of one target as doubles, as they came (the joint draws) and in ascending order.
void RowScorer::load(const Predictive& forecast, std::size_t row, std::size_t target) {
  const std::span<const double> from = forecast.draws(row, target);
  const std::span<double> column = draws_.column(target);
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (!std::isfinite(from[i]))
      bad_input("draw {} of {} for target '{}' in row {} is {}, not a finite number", i, from.size(),
                forecast.target_names()[target], row, from[i]);
    column[i] = from[i];
  }
  std::copy(column.begin(), column.end(), sorted_.begin());
  std::sort(sorted_.begin(), sorted_.end());
}

RowScore RowScorer::score_target(double y, std::span<const double> levels, RowInterval* intervals) {
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double low = sorted_quantile(sorted_, (1 - levels[i]) / 2);
    const double high = sorted_quantile(sorted_, (1 + levels[i]) / 2);
    intervals[i] = {high - low, low <= y && y <= high};
  }
  const double mean =
      std::accumulate(sorted_.begin(), sorted_.end(), 0.0) / static_cast<double>(sorted_.size());
  const predictive::LogDensity density = predictive::kde_log_density(sorted_, {&y, 1}, scratch_);
  const int pit_bin = std::min(kBins - 1, static_cast<int>(kBins * sorted_pit(sorted_, y)));
  return {.median_error = sorted_quantile(sorted_, 0.5) - y,
          .mean_error = mean - y,
          .crps = sorted_crps(sorted_, y, false),
          .nll = -density.value,
          .floored = density.floored,
          .quantile_bin = quantile_bin(sorted_, y),
          .pit_bin = static_cast<std::uint8_t>(pit_bin)};
}

}  // namespace mirrorball::scoring
