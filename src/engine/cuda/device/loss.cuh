#pragma once

#include "engine/cuda/device/net.cuh"

/// The energy score of a row's draws and its gradient, and the squared error of a network without noise: the
/// formulas of kernels/energy_score.h. With one target and alpha = 1 a draw's rank 2k - N + 1, with ties at
/// their middle, is the number of draws below it less that of those above.
namespace mirrorball::cuda {

struct Loss {
  int draws, targets;
  float alpha, pair_weight;
  bool strata, noisy;
};

/// Squared distances below this count as coincidence, as on the CPU.
constexpr float kCoincide = 1e-20f;

/// distance^alpha, and alpha distance^(alpha - 2) in *slope; 0 for coinciding points.
__device__ inline float power_of_distance(float square, float alpha, float* slope) {
  if (square <= kCoincide) return *slope = 0;
  const float power = alpha == 1.0f ? sqrtf(square) : expf(0.5f * alpha * logf(square));
  *slope = alpha * power / square;
  return power;
}

/// The draws of one row: draw n of target t is y[n * targets + t]. Its loops stay loops: they are short, and
/// long code takes longer to load than to run.
struct RowDraws {
  const Loss& loss;
  const float *truth, *y;

  __device__ float gap(int i, int j, int t) const {
    return y[i * loss.targets + t] - y[j * loss.targets + t];
  }

  /// The part of draw i of the loss; its slopes times `scale` where asked for.
  __device__ float part(int i, float scale, float* slopes) const {
    if (!loss.noisy) return squared_error(scale, slopes);
    return loss.targets == 1 && loss.alpha == 1.0f ? by_rank(i, scale, slopes) : by_pairs(i, scale, slopes);
  }

  __device__ float squared_error(float scale, float* slopes) const {
    float sum = 0;
#pragma unroll 1
    for (int t = 0; t < loss.targets; ++t) {
      const float off = y[t] - truth[t];
      sum = fmaf(off, off, sum);
      if (slopes) slopes[t] = 2.0f * scale * off;
    }
    return sum;
  }

  __device__ float by_rank(int i, float scale, float* slopes) const {
    int rank = 0;
#pragma unroll 1
    for (int j = 0; j < loss.draws; ++j) rank += (y[j] < y[i]) - (y[j] > y[i]);
    const float off = y[i] - truth[0], share = 1.0f / static_cast<float>(loss.draws);
    const float pair = 2.0f * loss.pair_weight * static_cast<float>(rank);
    if (slopes) slopes[i] = scale * (share * static_cast<float>((off > 0) - (off < 0)) - pair);
    return share * fabsf(off) - pair * y[i];
  }

  __device__ float by_pairs(int i, float scale, float* slopes) const {
    const int targets = loss.targets;
    const float share = 1.0f / static_cast<float>(loss.draws);
    float square = 0, rise, among = 0;
#pragma unroll 1
    for (int t = 0; t < targets; ++t)
      square += (y[i * targets + t] - truth[t]) * (y[i * targets + t] - truth[t]);
    const float to_truth = power_of_distance(square, loss.alpha, &rise);
    if (slopes)
#pragma unroll 1
      for (int t = 0; t < targets; ++t)
        slopes[i * targets + t] = scale * share * rise * (y[i * targets + t] - truth[t]);
#pragma unroll 1
    for (int j = 0; j < loss.draws; ++j) {
      square = 0;
#pragma unroll 1
      for (int t = 0; t < targets; ++t) square += gap(i, j, t) * gap(i, j, t);
      among += power_of_distance(square, loss.alpha, &rise);
      if (slopes)
#pragma unroll 1
        for (int t = 0; t < targets; ++t)
          slopes[i * targets + t] -= 2.0f * loss.pair_weight * scale * rise * gap(i, j, t);
    }
    return share * to_truth - loss.pair_weight * among;
  }

  /// kernels::repel_within_strata for draw i, whose noise is `a`.
  __device__ void repel(int i, float a, float scale, float* slopes) const {
    const int before = i == 0 ? 0 : i - 1, after = min(i + 1, loss.draws - 1);
    float square = 0;
#pragma unroll 1
    for (int t = 0; t < loss.targets; ++t) square += gap(after, before, t) * gap(after, before, t);
    if (square <= kCoincide) return;
    const float place = 2.0f * (static_cast<float>(loss.draws) * a - static_cast<float>(i)) - 1.0f;
    const float push = 2.0f * loss.pair_weight * scale * place / sqrtf(square);
#pragma unroll 1
    for (int t = 0; t < loss.targets; ++t) slopes[i * loss.targets + t] -= push * gap(after, before, t);
  }
};

/// The sum over a block of up to 1024 threads, in a fixed order; thread 0 has it.
__device__ inline double block_sum(double value) {
  __shared__ double warps[32];
  for (int lane = 16; lane > 0; lane /= 2) value += __shfl_down_sync(~0u, value, lane);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  double sum = 0;
  if (threadIdx.x == 0)
    for (unsigned w = 0; w < blockDim.x / 32; ++w) sum += warps[w];
  __syncthreads();
  return sum;
}

/// What the loss of a batch's rows takes and gives.
struct LossArrays {
  const float *targets, *weights;  ///< of the table
  const std::uint32_t* which;      ///< rows of the table
  const float* y;
  float* dy;                   ///< null: no slopes
  const float* points;         ///< noise of the draws, for strata that repel
  const std::uint32_t* index;  ///< of a draw's point; null: each draw has its own
  double* row_losses;
};

/// A block for each row. A slope is that of the mean over the batch, by weight.
__global__ void row_loss(Loss loss, Rows rows, LossArrays arrays) {
  const int s = static_cast<int>(blockIdx.x), count = rows.get();
  if (s >= count) return;
  const std::size_t row = arrays.which[s], first = static_cast<std::size_t>(s) * loss.draws;
  const RowDraws draws{loss, arrays.targets + row * loss.targets, arrays.y + first * loss.targets};
  const float scale = arrays.weights[row] / static_cast<float>(count);
  float* slopes = arrays.dy ? arrays.dy + first * loss.targets : nullptr;
  double sum = 0;
  for (int i = static_cast<int>(threadIdx.x); i < loss.draws; i += static_cast<int>(blockDim.x)) {
    sum += static_cast<double>(draws.part(i, scale, slopes));
    if (slopes && loss.strata) {
      const std::size_t point = arrays.index ? arrays.index[first + i] : first + i;
      draws.repel(i, arrays.points[point], scale, slopes);
    }
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) arrays.row_losses[s] = arrays.dy ? sum * static_cast<double>(scale) : sum;
}

}  // namespace mirrorball::cuda
