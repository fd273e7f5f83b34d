#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mirrorball {

/// How the draws of one target are corrected, in transformed units. A row's forecast is a pool: draws of the
/// networks, and quantiles of the forest's leaves.
///
///   1. networks   z <- m + factor (z - m)           m the median of the networks' draws
///   2. tails      a share of the pooled draws, evenly spread over their ranks: z <- m + tail_factor (z - m)
///   3. levels     z <- m + f(t) (z - m), t the level of the draw's rank, m the median of the pool,
///                 f = 1 inside the central half, level_factor at the ends of the central 90% interval and
///                 beyond, linear between
struct Calibration {
  double share = 0;  ///< of the forest in the pool
  double factor = 1;
  double tail_share = 0, tail_factor = 1;
  double level_factor = 1;

  /// How many of `samples` draws are the forest's.
  std::size_t forest_draws(std::size_t samples) const;
};

/// What `apply` needs for its sorting, one per thread.
struct CalibrationScratch {
  std::vector<std::uint64_t> order;
  std::vector<double> values;
};

/// Corrects the pool of one row in place: `draws` holds the networks' `networks` draws, then the forest's.
void apply(const Calibration& calibration, std::size_t networks, std::span<double> draws,
           CalibrationScratch& scratch);

}  // namespace mirrorball
