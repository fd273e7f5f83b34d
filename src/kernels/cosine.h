#pragma once

#include <cstddef>

namespace mirrorball::kernels {

/// The cosine embedding of noise points a in [0,1]^dims, one row per point:
///
///   c(a) = concat over j < dims of [cos(k pi a_j)], k = 0 … per_dim - 1
///
/// `points` holds rows x dims values; rows of `out` are `stride` floats apart and what lies beyond dims *
/// per_dim in them is left alone.
void cosine_features(const float* points, std::size_t rows, std::size_t dims, std::size_t per_dim, float* out,
                     std::size_t stride);

}  // namespace mirrorball::kernels
