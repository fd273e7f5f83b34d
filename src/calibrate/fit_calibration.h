#pragma once

#include <span>

#include "base/thread_pool.h"
#include "calibrate/calibration.h"
#include "encode/transform.h"
#include "mirrorball/options.h"

namespace mirrorball::calibrate {

/// Forecasts of rows that were not trained on, beside what came: one target, in transformed units.
struct HeldOut {
  /// Draws of all rows from one source, so many per row and ascending within a row; none where it has none.
  struct Draws {
    std::size_t count = 0;
    std::vector<float> values;

    std::span<const float> of(std::size_t row) const { return {values.data() + row * count, count}; }
    void add(std::span<const float> row) { values.insert(values.end(), row.begin(), row.end()); }
  };

  std::size_t rows = 0;
  Draws network, forest, process, neighbours;
  /// Of every row: how much wider the pool of all networks is than these draws. Empty: these are all.
  std::vector<double> widening;
  std::vector<double> boosted;  ///< of every row: the mean that boosted trees give; empty: there are none
  std::vector<double> transformed_truth, truth;  ///< the latter in the target's own units
  std::vector<double> weight;
  encode::NumberTransform transform;
};

/// The corrected pool of one row, of so many draws thinned from those given, ascending, in the target's
/// units.
std::vector<double> pooled(const HeldOut& rows, std::size_t row, std::size_t samples,
                           const Calibration& calibration, CalibrationScratch& scratch);

/// What weights of the sources of joint samples are allowed.
struct AllowedWeights {
  double least_forest = 0, most_forest = 1, least_neighbours = 0, most_neighbours = 1;
};

/// The spread of the networks and the weights of forest, Gaussian process and neighbours with the least mean
/// CRPS in transformed units, where boosted trees have this weight.
Calibration fit_scale(const HeldOut& rows, AllowedWeights allowed, double boost_weight, ThreadPool& pool);

/// The weight of the boosted trees with the least mean CRPS, less what is owed to chance; 0 where they gain
/// next to nothing.
double fit_boost_weight(const HeldOut& rows, AllowedWeights allowed, ThreadPool& pool);

/// The weights of forest and neighbours with the least sum of these over several targets: joint samples come
/// from one source.
AllowedWeights shared_weights(std::span<const HeldOut> targets, AllowedWeights allowed, ThreadPool& pool);

/// CRPS of the rows in transformed units at the best spread and weights of a coarse grid, and their mean.
struct PoolScore {
  double mean = 0;
  std::vector<double> crps;
};
PoolScore pool_score(const HeldOut& rows, AllowedWeights allowed, double boost_weight, ThreadPool& pool);

/// The part of a gain g in the mean CRPS that is not owed to chance, 1 - (e/g)^2 with e the standard error of
/// g; 0 where the gain is smaller than chance gives, or than what makes a longer prediction worth while.
double sure_part(const HeldOut& rows, const PoolScore& with, const PoolScore& without);

/// Adds the tails: of a few settings the one with the least log CRPS + 0.05 NLL in the target's units. No
/// tails are one of them, unless some must be kept.
void fit_tails(const HeldOut& rows, bool keep_some, ThreadPool& pool, Calibration& calibration);

/// Whether the forecasts repeat values: then a closed interval holds more than its level, whether it is right
/// or not.
bool values_repeat(const HeldOut& rows, std::size_t samples, ThreadPool& pool,
                   const Calibration& calibration);

/// Adds the factor of the interval: the smallest that lets the central 90% interval of `samples` draws cover
/// ceil(0.9 (n + 1)) of the n rows. With `by_rank`, a factor below 1 is that of ranks instead, 1 at most: a
/// row whose outcome equals several draws counts by the share of their ranks that are inside. On rows used
/// for nothing else, and with the very draws that a forecast is made of, this is split conformal prediction:
/// the interval of a new row covers with a probability of at least 90%.
void fit_interval(const HeldOut& rows, std::size_t samples, bool by_rank, ThreadPool& pool,
                  Calibration& calibration);

}  // namespace mirrorball::calibrate
