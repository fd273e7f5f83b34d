#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"

namespace mirrorball::net {

/// Fills `points` (rows of `dims` values in [0, 1)) so that a point picked at random is uniform and together
/// they are spread evenly:
///   one dimension          one point in each of the equal cells, in order
///   up to kLatticeDims     a randomly shifted lattice: point i is frac(shift + i * (p^-1, p^-2, …)),
///   p^(dims+1) = p + 1 more                   independent points
/// Any run of neighbours on a lattice is spread evenly too.
constexpr std::size_t kLatticeDims = 8;
void spread_points(Stream& random, std::size_t dims, std::span<float> points);

/// The steps of the lattice, (p^-1, p^-2, …); none where there is no lattice.
std::vector<double> lattice_steps(std::size_t dims);

/// Independent uniform points.
void independent_points(Stream& random, std::span<float> points);

/// (g + shift) / count for g = 0 … count - 1 in one dimension; `spread_points` in several.
void grid_points(Stream& random, std::size_t dims, std::span<float> points);

}  // namespace mirrorball::net
