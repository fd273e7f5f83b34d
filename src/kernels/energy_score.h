#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mirrorball::kernels {

/// The training loss of one row, and its gradient (METHOD: energy score; Gneiting & Raftery 2007).
///
///   L = (1/N) sum_i |y - s_i|^alpha - w sum_i sum_{j != i} |s_i - s_j|^alpha
///   dL/ds_i = (alpha/N) |s_i - y|^(alpha-2) (s_i - y) - 2 w alpha sum_j |s_i - s_j|^(alpha-2) (s_i - s_j)
///
/// with Euclidean norms over the targets. w = 1/(2N^2) as in the paper, or 1/(2N(N-1)) for the fair score.
/// Where two points coincide the gradient of their distance is taken as 0. One target and alpha = 1: with
/// draws in order, the pair sum is 2 sum_k (2k - N + 1) s_(k), k from 0; tied draws share the middle of their
/// ranks. O(N log N) instead of O(N^2).
struct EnergyScore {
  std::size_t draws = 1, targets = 1;
  float alpha = 1.0f;
  float pair_weight = 0.5f;
  bool strata = false;  ///< training steps call `repel_within_strata` too

  static EnergyScore make(std::size_t draws, std::size_t targets, double alpha, bool fair);

  /// Draw i of target t is draws[t * stride + i]; kPadding floats beyond the last draw must be readable.
  /// Where `gradient` is not null it gets scale * dL/ds, laid out likewise.
  float operator()(const float* y, const float* draws, std::size_t stride, float scale, float* gradient,
                   std::vector<std::uint64_t>& scratch) const;
};

/// The pairs that stratified draws never make. Draw i has its noise a_i in the i-th of N equal parts, so two
/// draws of one part never meet, and without their repulsion each part would shrink to one value: N lumps.
/// Along the noise a curve of draws is nearly straight within a part, with the direction v from draw i-1 to
/// draw i+1, so there
///
///   E d|s_i - s'|/ds_i = (2u - 1) v/|v|,   u = N a_i - i, the place within the part
///
/// and -2 w scale times it is added to the gradient. With one target and draws in order, draw i then learns
/// the quantile of level a_i. For alpha = 1; the noise of draw i is points[index[i]].
void repel_within_strata(const EnergyScore& score, const float* draws, std::size_t stride,
                         const float* points, const std::uint32_t* index, float scale, float* gradient);

/// |y - s|^2 of a single draw, for the network without noise.
float squared_error(const float* y, const float* draw, std::size_t targets, std::size_t stride, float scale,
                    float* gradient);

}  // namespace mirrorball::kernels
