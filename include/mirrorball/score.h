#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "mirrorball/predictive.h"

namespace mirrorball {

/// Scores of one forecast, given as samples. Lower is better. The samples may come from any model.

/// CRPS of M samples: mean|s - y| - sum_ij|s_i - s_j| / (2 M^2); `fair` divides by 2 M (M - 1) instead.
double crps(std::span<const double> samples, double y, bool fair = false);

/// Energy score, the CRPS with Euclidean norms. `samples` has M joint samples of y.size() values each.
double energy_score(std::span<const double> samples, std::span<const double> y, bool fair = false);

/// Negative log of the Gaussian kernel density estimate (Scott's factor, full covariance) at y; laid out as
/// for the energy score. Samples without spread get a floor instead of an infinite density, and set *floored.
double kde_nll(std::span<const double> samples, std::span<const double> y, bool* floored = nullptr);

/// Negative log of the probability that samples of one target give to y where the target has atoms, and of
/// the density elsewhere: finite for all samples. With M samples, of which m are in the cell of atom a,
///
///   p(y) = (m + share of a) / (M + 1)                                          in the cell of a
///   p(y) = (sum over the samples in no cell of N(y; s, h^2) + rest / range) / (M + 1)    elsewhere
///   h^2 = Scott's width of these samples, squared, + (range / 100)^2
///
/// that is of the samples and one more that follows the training targets. Without atoms it is `kde_nll`.
double nll(std::span<const double> samples, double y, const Atoms& atoms, bool* floored = nullptr);

/// Probability integral transform: fraction of the samples below y, ties counted half.
double pit(std::span<const double> samples, double y);

struct MeanMedian {
  double mean = 0, median = 0;
};

struct IntervalScore {
  double level = 0, coverage = 0, width = 0;
  /// Mean probability that the forecasts themselves give their closed interval: the coverage to expect. Where
  /// samples repeat values it is larger than the level.
  double mass = 0;
};

/// Whether forecasts of one target come true, by one test.
///
/// The PIT of an outcome is its rank among the samples, ties split at random, as a share: uniform where
/// outcomes follow their forecasts. Its distribution is compared with the uniform one at 99 levels. The bands
/// of all levels together contain a calibrated forecast with 95% probability.
struct CalibrationCheck {
  enum class Verdict {
    kCalibrated,  ///< all levels within their bands
    kNearly,      ///< beyond sampling error, but by less than 3 percentage points
    kOff,
    kPoint  ///< every forecast is a single number
  };
  enum class Shape { kTooHigh, kTooLow, kTooNarrow, kTooWide, kTailsTooLight, kTailsTooHeavy, kOther };

  std::size_t rows = 0;
  std::size_t values = 0;              ///< different outcomes
  double ties = 0;                     ///< mean share of the samples that equal the outcome
  std::vector<double> levels, shares;  ///< share of outcomes at or below the quantile of each level
  std::vector<double> low, high;       ///< the bands
  double largest = 0;                  ///< largest |share - level|
  double largest_at = 0;               ///< its level
  double bias = 0;                     ///< mean of the PIT's normal quantiles: above 0 outcomes lie high
  double spread = 1;                   ///< their standard deviation: above 1 forecasts are too narrow
  double below_median = 0;             ///< share of outcomes below the median
  IntervalScore half, ninety;          ///< the closed 50% and 90% intervals
  Verdict verdict = Verdict::kCalibrated;
  std::vector<Shape> shapes;  ///< what is wrong, the largest part first; empty where nothing is
  std::string words;          ///< the verdict as a sentence or two
};

/// "calibrated", "nearly", "off", "point".
const char* name_of(CalibrationCheck::Verdict verdict);
/// "too high", "too narrow", ….
const char* name_of(CalibrationCheck::Shape shape);

/// One target over all rows.
struct TargetScores {
  std::string name;
  double mae = 0;   ///< of the predictive median
  double rmse = 0;  ///< of the predictive mean
  MeanMedian crps, nll;
  std::size_t nll_floored = 0;  ///< rows whose samples had no spread
  std::vector<IntervalScore> intervals;
  double qice = 0;               ///< mean over ten predicted quantile bins of |fraction of rows in it - 1/10|
  std::array<double, 10> pit{};  ///< histogram of the PIT, fractions of rows
  CalibrationCheck calibration;
};

struct Scores {
  std::size_t rows = 0, samples = 0;
  std::vector<TargetScores> targets;
  MeanMedian energy_score;  ///< in the targets' own units; for one target it is the CRPS
};

/// Collects forecasts block by block, so that the samples of a large table need not be in memory at once.
class Scorer {
 public:
  explicit Scorer(std::vector<std::string> targets, std::vector<double> interval_levels = {0.5, 0.9},
                  unsigned threads = 0);
  ~Scorer();
  Scorer(Scorer&&) noexcept;
  Scorer& operator=(Scorer&&) noexcept;

  /// `observed` has one row of target values per forecast row.
  void add(const Predictive& forecast, std::span<const double> observed);
  Scores finish() const;
  /// The values of one target in the rows so far, in their order.
  const std::vector<double>& observed(std::size_t target) const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

/// Scores all rows at once.
Scores score(const Predictive& forecast, std::span<const double> observed);

}  // namespace mirrorball
