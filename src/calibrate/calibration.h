#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mirrorball/schema.h"

namespace mirrorball::calibrate {

/// How many of a pool's draws come from where, in the order in which a pool has them.
struct PoolParts {
  std::size_t networks = 0, forest = 0, process = 0, neighbours = 0;
};
PoolParts pool_parts(const Calibration& calibration, std::size_t samples);

/// What `apply` needs for its sorting, one per thread.
struct CalibrationScratch {
  std::vector<std::uint64_t> order;
  std::vector<double> values;
};

/// Moves the draws of a row, all of one source, so that their mean comes nearer to that of boosted trees.
void move_towards(double boosted_mean, double boost_weight, std::span<double> draws);
/// The same for every source of a pool by itself.
void move_towards(double boosted_mean, double boost_weight, const PoolParts& parts, std::span<double> pool);

/// Corrects the pool of one row in place: `draws` holds the networks' `networks` draws, then the others'.
void apply(const Calibration& calibration, std::size_t networks, std::span<double> draws,
           CalibrationScratch& scratch);

}  // namespace mirrorball::calibrate
