#pragma once

#include <algorithm>

#include "engine/cuda/device/loss.cuh"

namespace mirrorball::cuda {

/// How many parts a gradient comes in: of the first layer and the waves, of the noise's layer, of the rest.
struct GradientParts {
  int first, noise, rest;

  int most() const { return std::max({first, noise, rest}); }
};

struct AdamArrays {
  float *weight, *mean, *square, *average;  ///< average may be null
  const float* gradient;                    ///< parts, `size` floats apart
  GradientParts parts;
  std::size_t noise, hidden;  ///< where the second and the third of the parts begin
  std::size_t size;
  const double* row_losses;
  double* losses;  ///< of the steps, by their slot
};

/// One step of Adam (kernels/adam.h) with the gradient summed over its parts in their order. The first block
/// also sums the loss of the step.
__global__ void adam(const Now* now, AdamArrays to) {
  const MirrorballCudaAdam step = now->adam;
  const float rate = step.rate / step.correction1, root2 = 1.0f / sqrtf(step.correction2);
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < to.size;
       i += static_cast<std::size_t>(gridDim.x) * blockDim.x) {
    float g = 0;
    const int parts = i < to.noise ? to.parts.first : i < to.hidden ? to.parts.noise : to.parts.rest;
#pragma unroll 16
    for (int part = 0; part < parts; ++part) g += to.gradient[part * to.size + i];
    const float m = fmaf(step.beta1, to.mean[i], (1.0f - step.beta1) * g);
    const float v = fmaf(step.beta2, to.square[i], (1.0f - step.beta2) * g * g);
    const float w = to.weight[i] - rate * m / fmaf(sqrtf(v), root2, 1e-8f);
    to.mean[i] = m;
    to.square[i] = v;
    to.weight[i] = w;
    if (to.average) to.average[i] = fmaf(1.0f - step.decay, w - to.average[i], to.average[i]);
  }
  if (blockIdx.x > 0) return;
  double sum = 0;
  for (int s = static_cast<int>(threadIdx.x); s < now->rows; s += static_cast<int>(blockDim.x))
    sum += to.row_losses[s];
  sum = block_sum(sum);
  if (threadIdx.x == 0) to.losses[now->slot] = sum;
}

/// Takes the next step from the ring that the host fills. A block for every kNextRows rows of the batch, so
/// that all reads of the host's memory are under way at once; `taken` counts in steps of a whole grid.
constexpr int kNextRows = 256;

__global__ void __launch_bounds__(kNextRows)
    next_step(const Now* ring, const std::uint32_t* batches, int slots, int largest_batch,
              unsigned long long* taken, Now* now, std::uint32_t* batch) {
  __shared__ std::uint32_t slot;
  if (threadIdx.x == 0) slot = static_cast<std::uint32_t>(atomicAdd(taken, 1ull) / gridDim.x % slots);
  __syncthreads();
  if (blockIdx.x == 0 && threadIdx.x == 0) *now = ring[slot];
  const int i = static_cast<int>(blockIdx.x * kNextRows + threadIdx.x);
  if (i < largest_batch) batch[i] = batches[static_cast<std::size_t>(slot) * largest_batch + i];
}

}  // namespace mirrorball::cuda
