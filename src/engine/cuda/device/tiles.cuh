#pragma once

#include "engine/cuda/device/forward.cuh"
#include "engine/cuda/device/tensor_core.cuh"

/// Draws of networks of width 128 on tensor cores: from psi and phi to y in one kernel.
///
///   u = psi phi (DN+), act(psi + phi) (DISCO), psi (without noise),   h = act(h W + b) layer by layer,
///   y = Wo h + bo
///
/// Factors are floats as sums of two bfloats, and of the products of those the three larger ones are added up
///   x w = (xh + xl)(wh + wl) ~ xh wh + xl wh + xh wl,        an error of about 2^-17 of |x w|
/// so that draws are those of the CPU but for a few millionths. A block keeps all weights in shared memory. A
/// warp takes 16 lines (draws of whole rows) and keeps what it knows of them in registers: the sums of a
/// product have the places that the next one wants its left factor in.
namespace mirrorball::cuda {

constexpr int kTilesThreads = 384, kTilesWarps = kTilesThreads / 32, kTilesLines = 16;
/// Columns and steps of 16 of a product of width 128, in fragments.
constexpr int kFragments = kWidth / 8, kSteps = kWidth / 16;

/// A layer's weights, and its bias.
struct SplitLayer {
  Bfloat high[kWidth * kPitch], low[kWidth * kPitch];
  float bias[kWidth];
};

__host__ __device__ inline std::size_t tiles_space(const Net& net) {
  return sizeof(SplitLayer) * net.layers + sizeof(float) * kWidth * net.targets;
}

/// high + low = (a, b) but for 2^-17 of each.
__device__ inline void split(float a, float b, std::uint32_t& high, std::uint32_t& low) {
  const __nv_bfloat162 large = __floats2bfloat162_rn(a, b);
  const float2 back = __bfloat1622float2(large);
  const __nv_bfloat162 rest = __floats2bfloat162_rn(a - back.x, b - back.y);
  high = *reinterpret_cast<const std::uint32_t*>(&large);
  low = *reinterpret_cast<const std::uint32_t*>(&rest);
}

/// A warp's 16 x 128 left factor.
struct SplitLines {
  std::uint32_t high[kSteps][4], low[kSteps][4];
};

/// Where a thread has column c of its left factor when it reads eight neighbours at a time: their places are
/// those of a fragment, in another order, and the rows of the first layer's weights are in that order too.
__device__ inline int place_of_column(int c) {
  const int of_thread = c % 8;
  return c / 32 * 32 + of_thread / 4 * 16 + of_thread % 4 / 2 * 8 + c % 32 / 8 * 2 + c % 2;
}

__device__ inline void load_layer(const float* weights, const float* bias, bool first, SplitLayer& to) {
  for (int i = static_cast<int>(threadIdx.x); i < kWidth * kWidth / 4; i += static_cast<int>(blockDim.x)) {
    const int row = i / (kWidth / 4), col = i % (kWidth / 4) * 4;
    const float4 four = reinterpret_cast<const float4*>(weights)[i];
    uint2 high, low;
    split(four.x, four.y, high.x, low.x);
    split(four.z, four.w, high.y, low.y);
    const int at = (first ? place_of_column(row) : row) * kPitch + col;
    *reinterpret_cast<uint2*>(to.high + at) = high;
    *reinterpret_cast<uint2*>(to.low + at) = low;
  }
  for (int i = static_cast<int>(threadIdx.x); i < kWidth; i += static_cast<int>(blockDim.x))
    to.bias[i] = bias[i];
}

/// sum = x W + b.
__device__ inline void split_product(float (&sum)[kFragments][4], const SplitLines& x, const SplitLayer& of) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
  for (int n = 0; n < kFragments; ++n) {
    const float2 bias = *reinterpret_cast<const float2*>(of.bias + n * 8 + lane % 4 * 2);
    sum[n][0] = sum[n][2] = bias.x;
    sum[n][1] = sum[n][3] = bias.y;
  }
  const int at = (lane % 8 + lane / 8 % 2 * 8) * kPitch + lane / 16 * 8;
#pragma unroll
  for (int k = 0; k < kSteps; ++k)
#pragma unroll
    for (int n = 0; n < kFragments; n += 4) {
      std::uint32_t high[2][4], low[2][4];
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        load_matrices<true>(high[i], of.high + at + k * 16 * kPitch + (n + 2 * i) * 8);
        load_matrices<true>(low[i], of.low + at + k * 16 * kPitch + (n + 2 * i) * 8);
      }
#pragma unroll
      for (int i = 0; i < 4; ++i)
        multiply_add(sum[n + i], x.high[k], high[i / 2][i % 2 * 2], high[i / 2][i % 2 * 2 + 1]);
#pragma unroll
      for (int i = 0; i < 4; ++i)
        multiply_add(sum[n + i], x.low[k], high[i / 2][i % 2 * 2], high[i / 2][i % 2 * 2 + 1]);
#pragma unroll
      for (int i = 0; i < 4; ++i)
        multiply_add(sum[n + i], x.high[k], low[i / 2][i % 2 * 2], low[i / 2][i % 2 * 2 + 1]);
    }
}

/// What a product gave becomes the left factor of the next one.
__device__ inline void split_lines(const float (&sum)[kFragments][4], SplitLines& to) {
#pragma unroll
  for (int n = 0; n < kFragments; ++n) {
    split(sum[n][0], sum[n][1], to.high[n / 2][n % 2 * 2], to.low[n / 2][n % 2 * 2]);
    split(sum[n][2], sum[n][3], to.high[n / 2][n % 2 * 2 + 1], to.low[n / 2][n % 2 * 2 + 1]);
  }
}

template <bool kIsRelu>
__device__ inline float activated(int act, float z) {
  if constexpr (kIsRelu) return fmaxf(z, 0.0f);
  return activate(act, z).value;
}

/// u of 16 lines: this thread's columns 32 kk + 8 (lane % 4) + 0 … 7 of lines lane / 4 and lane / 4 + 8.
template <bool kIsRelu>
__device__ inline void merge_lines(const Net& net, const float* const (&psi)[2], const float* const (&phi)[2],
                                   SplitLines& to) {
#pragma unroll
  for (int kk = 0; kk < kSteps / 2; ++kk)
#pragma unroll
    for (int half = 0; half < 2; ++half)
#pragma unroll
      for (int four = 0; four < 2; ++four) {
        const int at = kk * 32 + static_cast<int>(threadIdx.x) % 4 * 8 + four * 4;
        float4 u = *reinterpret_cast<const float4*>(psi[half] + at);
        if (net.noisy()) {
          const float4 f = *reinterpret_cast<const float4*>(phi[half] + at);
          if (net.network == kDnPlus) {
            u = {u.x * f.x, u.y * f.y, u.z * f.z, u.w * f.w};
          } else {
            u = {activated<kIsRelu>(net.act, u.x + f.x), activated<kIsRelu>(net.act, u.y + f.y),
                 activated<kIsRelu>(net.act, u.z + f.z), activated<kIsRelu>(net.act, u.w + f.w)};
          }
        }
        const int step = 2 * kk + four;
        split(u.x, u.y, to.high[step][half], to.low[step][half]);
        split(u.z, u.w, to.high[step][half + 2], to.low[step][half + 2]);
      }
}

/// Line i is draw i % draws of row i / draws, which uses that row of phi.
struct TileLines {
  int count, draws;
};

template <bool kIsRelu>
__global__ void __launch_bounds__(kTilesThreads, 1)
    draw_tiles(Net net, TileLines lines, const float* weights, const float* psi, const float* phi,
               DrawPlaces to) {
  extern __shared__ __align__(16) unsigned char memory[];
  auto* layers = reinterpret_cast<SplitLayer*>(memory);
  auto* output = reinterpret_cast<float*>(layers + net.layers);
  for (int layer = 0; layer < net.layers; ++layer)
    load_layer(weights + net.hidden_weight(layer), weights + net.hidden_bias(layer), layer == 0,
               layers[layer]);
  for (int i = static_cast<int>(threadIdx.x); i < net.targets * kWidth; i += kTilesThreads)
    output[i] = weights[net.output_weight + i];
  __syncthreads();
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const int tiles = (lines.count + kTilesLines - 1) / kTilesLines;
  for (int tile = static_cast<int>(blockIdx.x) * kTilesWarps + warp; tile < tiles;
       tile += static_cast<int>(gridDim.x) * kTilesWarps) {
    int row[2], draw[2];
    const float *psi_at[2], *phi_at[2];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int line = min(tile * kTilesLines + lane / 4 + 8 * half, lines.count - 1);
      row[half] = line / lines.draws;
      draw[half] = line - row[half] * lines.draws;
      psi_at[half] = psi + static_cast<std::size_t>(row[half]) * kWidth;
      phi_at[half] = phi + static_cast<std::size_t>(draw[half]) * kWidth;
    }
    SplitLines x;
    merge_lines<kIsRelu>(net, psi_at, phi_at, x);
    float h[kFragments][4];
#pragma unroll 1
    for (int layer = 0; layer < net.layers; ++layer) {
      if (layer > 0) split_lines(h, x);
      split_product(h, x, layers[layer]);
#pragma unroll
      for (int n = 0; n < kFragments; ++n)
#pragma unroll
        for (int i = 0; i < 4; ++i) h[n][i] = activated<kIsRelu>(net.act, h[n][i]);
    }
#pragma unroll 1
    for (int t = 0; t < net.targets; ++t) {
      float sum[2] = {};
#pragma unroll
      for (int n = 0; n < kFragments; ++n) {
        const float2 out = *reinterpret_cast<const float2*>(output + t * kWidth + n * 8 + lane % 4 * 2);
        sum[0] = fmaf(h[n][0], out.x, fmaf(h[n][1], out.y, sum[0]));
        sum[1] = fmaf(h[n][2], out.x, fmaf(h[n][3], out.y, sum[1]));
      }
      const float bias = weights[net.output_bias + t];
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        sum[half] += __shfl_xor_sync(~0u, sum[half], 1);
        sum[half] += __shfl_xor_sync(~0u, sum[half], 2);
        if (lane % 4 == 0 && tile * kTilesLines + lane / 4 + 8 * half < lines.count)
          to.at(row[half], t, draw[half]) = sum[half] + bias;
      }
    }
  }
}

}  // namespace mirrorball::cuda
