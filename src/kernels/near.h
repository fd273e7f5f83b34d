#pragma once

#include <cstddef>
#include <cstdint>

namespace mirrorball::kernels {

/// Places of rows have so many coordinates.
constexpr std::size_t kPlaceDims = 16;
/// Rows whose least distance is kept, so that they can be passed over together.
constexpr std::size_t kNearBlock = 64;

/// Kernels that find the rows near a place. No factor is fused with a sum: the results have the same bits at
/// every level.

/// apart[i] += norms[i]; least[b] is the least of block b. The least of all.
float add_and_least(float* apart, const float* norms, std::size_t count, float* least);

/// Squared distances of the rows `begin` to `end`, a block at most, to z; their places lie one coordinate
/// after the other, `stride` apart. The least of them.
float block_distances(const float* places, std::size_t stride, std::size_t begin, std::size_t end,
                      const float* z, float* distances);

/// Rows with apart[i] - nearest < far, ascending, and that difference; `least` as above tells which blocks
/// have some. How many there are. Both lists need room for kPlaceDims more.
std::size_t rows_within(const float* apart, std::size_t count, const float* least, float nearest, float far,
                        std::uint32_t* rows, float* beyond);

/// A row near a query, and the slope of the loss by their squared distance D.
struct NearRow {
  std::uint32_t row;
  float probability, slope;
};

/// The slope by the places, with dD/dz_c = 2 (z_c - z): of the near rows, where slopes[0] is of row `first`,
/// and of the query.
///   slopes[c - first] += 2 slope_c (z_c - z)
///   own -= sum_c 2 slope_c (z_c - z)
void add_slopes(const NearRow* near, std::size_t count, const float* places, const float* z,
                std::size_t first, float* slopes);
void subtract_slopes(const NearRow* near, std::size_t count, const float* places, const float* z, float* own);

/// to[i] += from[i]
void add_to(float* to, const float* from, std::size_t count);

}  // namespace mirrorball::kernels
