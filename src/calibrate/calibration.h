#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mirrorball/schema.h"

namespace mirrorball::calibrate {

/// How many of a pool's draws come from where, in the order in which a pool has them.
struct PoolParts {
  std::size_t networks = 0, forest = 0, process = 0;
};
PoolParts pool_parts(const Calibration& calibration, std::size_t samples);

/// What `apply` needs for its sorting, one per thread.
struct CalibrationScratch {
  std::vector<std::uint64_t> order;
  std::vector<double> values;
};

/// Corrects the pool of one row in place: `draws` holds the networks' `networks` draws, then the others'.
void apply(const Calibration& calibration, std::size_t networks, std::span<double> draws,
           CalibrationScratch& scratch);

}  // namespace mirrorball::calibrate
