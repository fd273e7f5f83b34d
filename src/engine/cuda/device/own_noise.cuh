#pragma once

#include "engine/cuda/device/noise.cuh"
#include "engine/cuda/device/tiles.cuh"

/// The embedding of the noise where every draw has noise of its own, on tensor cores: for DN+ of width 128
/// with as many features.
///
///   phi = tanh(c W + b), c the features of a line;      dW = c' dphi, db = the sum of dphi
namespace mirrorball::cuda {

struct OwnNoise {
  const float* points;  ///< of each line
  Bfloat* features;
  float *phi, *slope;
};

/// The columns of c that merge_lines reads of u, for the same lines; the larger part of each goes to memory.
__device__ inline void make_features(const Net& net, const float* const (&point)[2], Bfloat* const (&to)[2],
                                     SplitLines& x) {
#pragma unroll
  for (int kk = 0; kk < kSteps / 2; ++kk)
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int first = kk * 32 + static_cast<int>(threadIdx.x) % 4 * 8;
      float c[8];
#pragma unroll
      for (int i = 0; i < 8; ++i) c[i] = noise_feature(net, point[half], first + i);
#pragma unroll
      for (int i = 0; i < 4; ++i)
        split(c[2 * i], c[2 * i + 1], x.high[2 * kk + i / 2][half + i % 2 * 2],
              x.low[2 * kk + i / 2][half + i % 2 * 2]);
      *reinterpret_cast<uint4*>(to[half] + first) = {x.high[2 * kk][half], x.high[2 * kk][half + 2],
                                                     x.high[2 * kk + 1][half], x.high[2 * kk + 1][half + 2]};
    }
}

__global__ void __launch_bounds__(kTilesThreads, 1)
    embed_lines(Net net, Rows rows, int draws, const float* weights, OwnNoise of) {
  extern __shared__ __align__(16) unsigned char memory[];
  auto& layer = *reinterpret_cast<SplitLayer*>(memory);
  load_layer(weights + net.noise_weight, weights + net.noise_bias, true, layer);
  __syncthreads();
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const int lines = rows.get() * draws, tiles = (lines + kTilesLines - 1) / kTilesLines;
  for (int tile = static_cast<int>(blockIdx.x) * kTilesWarps + warp; tile < tiles;
       tile += static_cast<int>(gridDim.x) * kTilesWarps) {
    const float* point[2];
    Bfloat* features[2];
    std::size_t line[2];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      line[half] = min(tile * kTilesLines + lane / 4 + 8 * half, lines - 1);
      point[half] = of.points + line[half] * net.dims;
      features[half] = of.features + line[half] * kWidth;
    }
    SplitLines x;
    make_features(net, point, features, x);
    float phi[kFragments][4];
    split_product(phi, x, layer);
#pragma unroll
    for (int n = 0; n < kFragments; ++n)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const float2 value = {tanhf(phi[n][2 * half]), tanhf(phi[n][2 * half + 1])};
        const std::size_t at = line[half] * kWidth + n * 8 + lane % 4 * 2;
        *reinterpret_cast<float2*>(of.phi + at) = value;
        *reinterpret_cast<float2*>(of.slope + at) = {1.0f - value.x * value.x, 1.0f - value.y * value.y};
      }
  }
}

/// Block p adds up part p of dW and db over its share of the lines, kGradientLines of them at a time.
constexpr int kGradientThreads = 256, kGradientLines = 64;

__global__ void __launch_bounds__(kGradientThreads)
    embed_gradient(Net net, Rows rows, int draws, const Bfloat* features, const Bfloat* dphi,
                   float* gradient) {
  __shared__ __align__(16) Bfloat c[kGradientLines * kPitch], d[kGradientLines * kPitch];
  const int lines = rows.get() * draws, chunks = (lines + kGradientLines - 1) / kGradientLines;
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const int row = warp % 2 * 64, col = warp / 2 * 32, own = warp % 2 * 2;
  float sum[4][4][4] = {}, columns[2][4] = {};
  for (int chunk = static_cast<int>(blockIdx.x); chunk < chunks; chunk += static_cast<int>(gridDim.x)) {
    __syncthreads();
#pragma unroll
    for (int i = static_cast<int>(threadIdx.x); i < kGradientLines * kWidth / 8; i += kGradientThreads) {
      const int l = i / (kWidth / 8), j = i % (kWidth / 8) * 8, line = chunk * kGradientLines + l;
      const std::size_t at = static_cast<std::size_t>(line) * kWidth + j;
      const bool there = line < lines;
      *reinterpret_cast<uint4*>(c + l * kPitch + j) =
          there ? *reinterpret_cast<const uint4*>(features + at) : uint4{};
      *reinterpret_cast<uint4*>(d + l * kPitch + j) =
          there ? *reinterpret_cast<const uint4*>(dphi + at) : uint4{};
    }
    __syncthreads();
    warp_gradient<kGradientLines>(sum, columns, c, d, row, col, own, 0);
  }
  float* to = gradient + blockIdx.x * net.size;
#pragma unroll
  for (int m = 0; m < 4; ++m)
#pragma unroll
    for (int n = 0; n < 4; ++n)
#pragma unroll
      for (int half = 0; half < 2; ++half)
        *reinterpret_cast<float2*>(to + net.noise_weight + (row + m * 16 + lane / 4 + 8 * half) * kWidth +
                                   col + n * 8 +
                                   lane % 4 * 2) = {sum[m][n][2 * half], sum[m][n][2 * half + 1]};
  if (lane < 4)
#pragma unroll
    for (int n = 0; n < 2; ++n)
      *reinterpret_cast<float2*>(to + net.noise_bias + col + (own + n) * 8 + lane * 2) = {columns[n][0],
                                                                                          columns[n][1]};
}

}  // namespace mirrorball::cuda
