#pragma once

#include <span>
#include <vector>

#include "calibrate/held_out.h"

namespace mirrorball::calibrate {

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

}  // namespace mirrorball::calibrate
