#pragma once

#include "base/thread_pool.h"
#include "calibrate/calibration.h"
#include "encode/transform.h"
#include "mirrorball/options.h"

namespace mirrorball::calibrate {

/// Draws in the forecast of a held-out row.
constexpr std::size_t kPoolDraws = 500;

/// Forecasts of rows that were not trained on, beside what came: one target, in transformed units.
struct HeldOut {
  std::size_t rows = 0, network_draws = 0, forest_draws = 0;  ///< draws per row
  std::vector<float> network, forest;                         ///< rows x draws, ascending within a row
  std::vector<double> transformed_truth, truth;               ///< the latter in the target's own units
  std::vector<double> weight;
  encode::NumberTransform transform;

  std::span<const float> network_of(std::size_t row) const {
    return {network.data() + row * network_draws, network_draws};
  }
  std::span<const float> forest_of(std::size_t row) const {
    return {forest.data() + row * forest_draws, forest_draws};
  }
};

/// The spread of the networks and the weight of the forest, `least_forest` at least, with the least mean CRPS
/// in transformed units.
Calibration fit_scale(const HeldOut& rows, double least_forest, ThreadPool& pool);

/// Adds the tails: of a few settings the one with the least log CRPS + 0.05 NLL in the target's units. No
/// tails are one of them, unless some must be kept.
void fit_tails(const HeldOut& rows, bool keep_some, ThreadPool& pool, Calibration& calibration);

/// Adds the factor of the interval: the smallest that lets the central 90% interval of `samples` draws cover
/// ceil(0.9 (n + 1)) of the n rows. On rows used for nothing else, and with the very draws that a forecast is
/// made of, this is split conformal prediction: the interval of a new row covers with a probability of at
/// least 90%.
void fit_interval(const HeldOut& rows, std::size_t samples, ThreadPool& pool, Calibration& calibration);

}  // namespace mirrorball::calibrate
