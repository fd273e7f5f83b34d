#pragma once

#include <cstdint>
#include <span>

#include "base/random.h"

namespace mirrorball::net {

/// How one step draws its noise.
struct StepNoise {
  std::size_t draws = 16;
  bool stratified = true;
  std::size_t grid = 256;  ///< rows of the noise table of a step; 0: every draw has its own row
};

/// The rows of the noise table that the draws of one data row use. Independent: any row each. Stratified: in
/// one dimension one row from each of the equal parts of the table, in several a run of neighbours, which a
/// lattice spreads evenly.
void choose_rows(const StepNoise& plan, std::size_t noise_dim, Stream& random,
                 std::span<std::uint32_t> index);

/// The noise points of one data row's draws where there is no table.
void choose_points(const StepNoise& plan, std::size_t noise_dim, Stream& random, std::span<float> points);

}  // namespace mirrorball::net
