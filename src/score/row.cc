#include "score/row.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/order_statistics.h"
#include "score/calibration.h"
#include "score/forecast.h"

namespace mirrorball::scoring {
namespace {

constexpr int kBins = 10;

/// Number of predicted deciles below y: bin k is (decile k, decile k + 1], the outer ones open to the
/// outside. Where y equals several samples, its random rank chooses among the bins that they reach into.
std::uint8_t quantile_bin(std::span<const double> sorted, double y, double random_pit) {
  int below = 0, equal = 0;
  for (int decile = 1; decile < kBins; ++decile) {
    const double value = sorted_quantile(sorted, decile / double{kBins});
    below += value < y;
    equal += value == y;
  }
  const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), y);
  if (last - first < 2) return static_cast<std::uint8_t>(below);
  return static_cast<std::uint8_t>(std::clamp(static_cast<int>(kBins * random_pit), below, below + equal));
}

/// Of the share of the samples below y. Several that equal it are split as the check of the calibration
/// splits them: counted half, the outcomes of a target with few values would all lie in a few bins.
std::uint8_t pit_bin(std::span<const double> sorted, double y, double tie_break) {
  const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), y);
  const double split = last - first < 2 ? 0.5 : tie_break;
  const double below =
      static_cast<double>(first - sorted.begin()) + split * static_cast<double>(last - first);
  const int bin = static_cast<int>(kBins * below / static_cast<double>(sorted.size()));
  return static_cast<std::uint8_t>(std::min(kBins - 1, bin));
}

}  // namespace

RowScorer::RowScorer(std::size_t samples, std::size_t targets) : draws_(samples, targets), sorted_(samples) {}

double RowScorer::score(const Predictive& forecast, std::size_t row, std::size_t number,
                        std::span<const double> observed, std::span<const double> levels, RowScore* scores,
                        RowInterval* intervals) {
  for (std::size_t target = 0; target < observed.size(); ++target) {
    load(forecast, row, target);
    scores[target] = score_target(observed[target], tie_break(number, target), levels, forecast.atoms(target),
                                  intervals + target * levels.size());
  }
  return observed.size() == 1 ? scores[0].crps : columns_energy_score(draws_, observed, false);
}

/// The draws of one target as doubles, as they came (the joint draws) and in ascending order.
void RowScorer::load(const Predictive& forecast, std::size_t row, std::size_t target) {
  const std::span<const double> from = forecast.row_samples(row, target);
  const std::span<double> column = draws_.column(target);
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (!std::isfinite(from[i]))
      bad_input("sample {} of {} for target '{}' in row {} is {}, not a finite number", i, from.size(),
                forecast.target_names()[target], row, from[i]);
    column[i] = from[i];
  }
  std::copy(column.begin(), column.end(), sorted_.begin());
  std::sort(sorted_.begin(), sorted_.end());
}

predictive::LogDensity RowScorer::log_density(double y, const Atoms& atoms) {
  if (!atoms.empty()) return {-atoms_nll(sorted_, y, atoms), false};
  return predictive::kde_log_density(sorted_, {&y, 1}, scratch_);
}

RowScore RowScorer::score_target(double y, double tie_break, std::span<const double> levels,
                                 const Atoms& atoms, RowInterval* intervals) {
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double low = sorted_quantile(sorted_, (1 - levels[i]) / 2);
    const double high = sorted_quantile(sorted_, (1 + levels[i]) / 2);
    intervals[i] = {high - low, low <= y && y <= high, sorted_mass(sorted_, low, high)};
  }
  const double mean =
      std::accumulate(sorted_.begin(), sorted_.end(), 0.0) / static_cast<double>(sorted_.size());
  const predictive::LogDensity density = log_density(y, atoms);
  const double random_pit = sorted_random_pit(sorted_, y, tie_break);
  return {.median_error = sorted_quantile(sorted_, 0.5) - y,
          .mean_error = mean - y,
          .crps = sorted_crps(sorted_, y, false),
          .nll = -density.value,
          .floored = density.floored,
          .quantile_bin = quantile_bin(sorted_, y, random_pit),
          .pit_bin = pit_bin(sorted_, y, tie_break),
          .random_pit = random_pit,
          .ties = sorted_mass(sorted_, y, y),
          .point = sorted_.front() == sorted_.back()};
}

}  // namespace mirrorball::scoring
