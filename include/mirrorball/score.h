#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "mirrorball/predictive.h"

namespace mirrorball {

/// Scores of one forecast, given as draws. Lower is better. These know nothing of how the draws were made.

/// CRPS of M draws: mean|s - y| - sum_ij|s_i - s_j| / (2 M^2); `fair` divides by 2 M (M - 1) instead.
double crps(std::span<const double> draws, double y, bool fair = false);

/// Energy score, the CRPS with Euclidean norms. `draws` holds M joint draws of y.size() values each.
double energy_score(std::span<const double> draws, std::span<const double> y, bool fair = false);

/// Negative log of the Gaussian kernel density estimate (Scott's factor, full covariance) at y; laid out as
/// for the energy score. Draws without spread get a floor instead of an infinite density, and set *floored.
double kde_nll(std::span<const double> draws, std::span<const double> y, bool* floored = nullptr);

/// Probability integral transform: share of draws below y, ties counted half.
double pit(std::span<const double> draws, double y);

struct MeanMedian {
  double mean = 0, median = 0;
};

struct IntervalScore {
  double level = 0, coverage = 0, width = 0;
};

/// One target over all rows.
struct TargetScores {
  std::string name;
  double mae = 0;   ///< of the predictive median
  double rmse = 0;  ///< of the predictive mean
  MeanMedian crps, nll;
  std::size_t nll_floored = 0;  ///< rows whose draws had no spread
  std::vector<IntervalScore> intervals;
  double qice = 0;               ///< mean over ten predicted quantile bins of |share of rows in it - 1/10|
  std::array<double, 10> pit{};  ///< histogram of the PIT, shares of rows
};

struct Scores {
  std::size_t rows = 0, samples = 0;
  std::vector<TargetScores> targets;
  MeanMedian energy_score;  ///< in the targets' own units; for one target it is the CRPS
};

/// Collects forecasts block by block, so that the draws of a large table need not be held at once.
class Scorer {
 public:
  explicit Scorer(std::vector<std::string> targets, std::vector<double> interval_levels = {0.5, 0.9},
                  unsigned threads = 0);
  ~Scorer();
  Scorer(Scorer&&) noexcept;
  Scorer& operator=(Scorer&&) noexcept;

  /// `observed` holds one row of target values per forecast row.
  void add(const Predictive& forecast, std::span<const double> observed);
  Scores finish() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

/// Scores all rows at once.
Scores score(const Predictive& forecast, std::span<const double> observed);

}  // namespace mirrorball
