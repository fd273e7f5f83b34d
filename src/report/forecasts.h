#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "mirrorball/model.h"
#include "mirrorball/score.h"
#include "report/crps_split.h"

namespace mirrorball::report {

/// What is kept of one row's forecast of one target.
struct RowForecast {
  /// Quantiles at (i + 1/2) / kPoints: equally likely points that stand for the samples when rows are pooled.
  static constexpr std::size_t kPoints = 20;
  static constexpr std::size_t kThresholds = 19;

  double mean = 0, sd = 0, median = 0, low = 0, high = 0;  ///< ends of the 90% interval
  double mass = 0;                                         ///< of the closed 90% interval, by the samples
  double aleatoric = 0, epistemic = 0;                     ///< the two parts of the expected CRPS
  std::array<float, kPoints> points{};
  std::array<float, kThresholds> above{};  ///< probability of more than each of Forecasts::thresholds
  // Where outcomes are known.
  double pit = 0;   ///< share of the samples below the outcome, ties counted half
  double rank = 0;  ///< the same with ties split at random: uniform for a calibrated forecast
  double crps = 0;

  bool covers(double outcome) const { return low <= outcome && outcome <= high; }
};

/// All rows of a table, predicted once in blocks; samples are not kept.
struct Forecasts {
  std::size_t rows = 0, targets = 0, samples = 0;
  std::vector<double> observed;                 ///< rows x targets; empty where outcomes are not known
  std::vector<RowForecast> cell;                ///< rows x targets
  std::vector<std::vector<double>> thresholds;  ///< of each target: rounded training quantiles
  // Where outcomes are known.
  Scores scores;
  std::vector<CrpsSplit::Parts> split;  ///< of each target's CRPS
  double variogram_score = 0;           ///< of several targets, each by its scale
  std::vector<double> joint_ranks;      ///< of several targets, one per row
  /// targets x targets: mean over rows of the correlation of joint samples, and where outcomes are known the
  /// correlation of (outcome - mean) / sd over rows.
  std::vector<double> correlation, observed_correlation;

  bool scored() const { return !observed.empty(); }
  const RowForecast& at(std::size_t row, std::size_t target) const { return cell[row * targets + target]; }
  double outcome(std::size_t row, std::size_t target) const { return observed[row * targets + target]; }
  /// The 90% intervals of a target, where outcomes are known.
  const IntervalScore& ninety(std::size_t target) const;
};

/// Coverages of the central intervals in Forecasts::scores; 90% is one of them.
std::span<const double> report_coverages();

/// The thresholds and scales are from the model's training rows.
Forecasts forecast_all(const Model& model, const Table& table, std::vector<double> observed,
                       const PredictOptions& options, const std::function<void(double share)>& progress);

}  // namespace mirrorball::report
