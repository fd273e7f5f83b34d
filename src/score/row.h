#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mirrorball/predictive.h"
#include "predictive/kde.h"
#include "score/points.h"

namespace mirrorball::scoring {

/// What one row says about one target.
struct RowScore {
  double median_error, mean_error;  ///< forecast minus observed
  double crps, nll;
  bool floored;
  std::uint8_t quantile_bin;  ///< of ten, between the predicted deciles
  std::uint8_t pit_bin;       ///< of ten equal ones
  double random_pit;          ///< the rank of the outcome, ties split at random
  double ties;                ///< share of the samples that equal the outcome
  bool point;                 ///< all samples are alike
};

struct RowInterval {
  double width;
  bool inside;
  double mass;  ///< of the closed interval, by the samples
};

/// Scores rows one after the other; holds the scratch of one thread.
class RowScorer {
 public:
  RowScorer(std::size_t samples, std::size_t targets);

  /// One score per target, one interval per target and level. `number` is the row's among all that are
  /// scored. Returns the energy score.
  double score(const Predictive& forecast, std::size_t row, std::size_t number,
               std::span<const double> observed, std::span<const double> levels, RowScore* scores,
               RowInterval* intervals);

 private:
  void load(const Predictive& forecast, std::size_t row, std::size_t target);
  RowScore score_target(double y, double tie_break, std::span<const double> levels, const Atoms& atoms,
                        RowInterval* intervals);
  predictive::LogDensity log_density(double y, const Atoms& atoms);

  Points draws_;
  std::vector<double> sorted_, scratch_;
};

}  // namespace mirrorball::scoring
