#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mirrorball/schema.h"

namespace mirrorball::calibrate {

/// How many of `samples` draws are the forest's.
std::size_t forest_draws(const Calibration& calibration, std::size_t samples);

/// What `apply` needs for its sorting, one per thread.
struct CalibrationScratch {
  std::vector<std::uint64_t> order;
  std::vector<double> values;
};

/// Corrects the pool of one row in place: `draws` holds the networks' `networks` draws, then the forest's.
void apply(const Calibration& calibration, std::size_t networks, std::span<double> draws,
           CalibrationScratch& scratch);

}  // namespace mirrorball::calibrate
