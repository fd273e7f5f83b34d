#pragma once

#include <cstddef>

namespace mirrorball::scoring {

// Points are columns: coordinate k of point i is p[k * stride + i].

/// Columns are read, not used, up to this many numbers past their end.
inline constexpr std::size_t kDistancePad = 64;

/// Σ_i<j ‖p_i − p_j‖, Euclidean, over n points of `dims` coordinates.
double pair_distance_sum(const double* p, std::size_t stride, std::size_t n, std::size_t dims);

/// Σ_i Σ_j ‖p_i − q_j‖ over all pairs. `p` may be a single point with stride 1.
double cross_distance_sum(const double* p, std::size_t p_stride, std::size_t p_n, const double* q,
                          std::size_t q_stride, std::size_t q_n, std::size_t dims);

}  // namespace mirrorball::scoring
