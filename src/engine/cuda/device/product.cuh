#pragma once

#include <cuda_bf16.h>

#include "engine/cuda/device/net.cuh"

/// Products of any shape in float, row-major, 32 x 32 results to a block, 2 x 4 of them to a thread:
///
///   forward    Y[rows][out] = X[rows][in] W[in][out]
///   back       Y[rows][out] = X[rows][in] W[out][in]'
///   gradient   G[in][out]   = X[rows][in]' D[rows][out], and b[out] = the sum of D's rows
///
/// `Finish` gets every result with its place. With kRound the factors are rounded to bfloat16 first.
namespace mirrorball::cuda {

constexpr int kTile = 32, kTileThreads = 128, kTileRows = kTileThreads / kTile,
              kTileSteps = kTile / kTileRows;

template <bool kRound>
__device__ inline float factor(float x) {
  return kRound ? __bfloat162float(__float2bfloat16_rn(x)) : x;
}

/// A thread's values of a 32 x 32 tile: fetched from memory while the tile before is multiplied, then stored.
struct TilePart {
  float values[kTileSteps];

  /// From `from`, which has `rows` x `cols` values; what lies outside is 0.
  template <bool kRound>
  __device__ void fetch(const float* from, int stride, int first_row, int rows, int first_col, int cols) {
    const int col = first_col + static_cast<int>(threadIdx.x) % kTile;
#pragma unroll
    for (int i = 0; i < kTileSteps; ++i) {
      const int row = first_row + static_cast<int>(threadIdx.x) / kTile + i * kTileRows;
      values[i] = row < rows && col < cols
                      ? factor<kRound>(from[static_cast<std::size_t>(row) * stride + col])
                      : 0.0f;
    }
  }

  /// As it is, or transposed.
  template <bool kTransposed, int kStride>
  __device__ void store(float (&to)[kTile][kStride]) const {
    const int x = static_cast<int>(threadIdx.x) % kTile, y = static_cast<int>(threadIdx.x) / kTile;
#pragma unroll
    for (int i = 0; i < kTileSteps; ++i)
      (kTransposed ? to[x][y + i * kTileRows] : to[y + i * kTileRows][x]) = values[i];
  }
};

/// The factors of a block's results, k by k: left[k] is a column of the left one, right[k] a row of the
/// right. Rows are apart so that pairs and fours of floats can be read at once.
struct TileFactors {
  float left[kTile][kTile + 2], right[kTile][kTile + 4];
};

/// A thread's 2 x 4 results: lines line() + i, columns column() + j.
struct TileSum {
  float sum[2][4] = {};

  __device__ static int line() { return static_cast<int>(threadIdx.x) / 8 * 2; }
  __device__ static int column() { return static_cast<int>(threadIdx.x) % 8 * 4; }

  __device__ void add(const TileFactors& of) {
#pragma unroll
    for (int k = 0; k < kTile; ++k) {
      const float2 a = *reinterpret_cast<const float2*>(&of.left[k][line()]);
      const float4 b = *reinterpret_cast<const float4*>(&of.right[k][column()]);
      const float row[4] = {b.x, b.y, b.z, b.w};
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        sum[0][j] = fmaf(a.x, row[j], sum[0][j]);
        sum[1][j] = fmaf(a.y, row[j], sum[1][j]);
      }
    }
  }
};

struct ProductShape {
  Rows rows;
  int lines;  ///< of the product, for each row
  int in, out, x_stride, w_stride;
};

template <bool kBack, bool kRound, class Finish>
__global__ void __launch_bounds__(kTileThreads)
    product(ProductShape shape, const float* x, const float* w, Finish finish) {
  __shared__ __align__(16) TileFactors factors;
  const int lines = shape.rows.get() * shape.lines;
  const int first_line = static_cast<int>(blockIdx.x) * kTile,
            first_col = static_cast<int>(blockIdx.y) * kTile;
  if (first_line >= lines) return;
  TilePart left, right;
  const auto fetch = [&](int k) {
    left.fetch<kRound>(x, shape.x_stride, first_line, lines, k, shape.in);
    if constexpr (kBack)
      right.fetch<kRound>(w, shape.w_stride, first_col, shape.out, k, shape.in);
    else
      right.fetch<kRound>(w, shape.w_stride, k, shape.in, first_col, shape.out);
  };
  TileSum own;
  fetch(0);
  for (int k = 0; k < shape.in; k += kTile) {
    left.store<true>(factors.left);
    right.store<kBack>(factors.right);
    __syncthreads();
    if (k + kTile < shape.in) fetch(k + kTile);
    own.add(factors);
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 2; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int line = first_line + TileSum::line() + i, col = first_col + TileSum::column() + j;
      if (line < lines && col < shape.out) finish(line, col, own.sum[i][j]);
    }
}

/// Parts of a gradient lie `size` floats apart; part p has the sum over its share of the rows.
struct GradientShape {
  Rows rows;
  int lines;  ///< of the product, for each row
  int in, out, x_stride, d_stride, g_stride;
  std::size_t size;
};

template <bool kRound>
__global__ void __launch_bounds__(kTileThreads)
    gradient_product(GradientShape shape, const float* x, const float* d, float* gradient, float* bias) {
  __shared__ __align__(16) TileFactors factors;
  const int parts = static_cast<int>(gridDim.z), part = static_cast<int>(blockIdx.z);
  const long long lines = static_cast<long long>(shape.rows.get()) * shape.lines;
  const int begin = static_cast<int>(lines * part / parts),
            end = static_cast<int>(lines * (part + 1) / parts);
  const int first_in = static_cast<int>(blockIdx.x) * kTile, first_out = static_cast<int>(blockIdx.y) * kTile;
  const bool sums = bias && blockIdx.x == 0;
  TilePart left, right;
  const auto fetch = [&](int k) {
    left.fetch<kRound>(x, shape.x_stride, k, end, first_in, shape.in);
    right.fetch<false>(d, shape.d_stride, k, end, first_out, shape.out);
  };
  TileSum own;
  float column = 0;  // of D, the bias' gradient before rounding; this thread's lines of it
  fetch(begin);
  for (int k = begin; k < end; k += kTile) {
#pragma unroll
    for (float& value : right.values) {
      column += value;
      value = factor<kRound>(value);
    }
    left.store<false>(factors.left);
    right.store<false>(factors.right);
    __syncthreads();
    if (k + kTile < end) fetch(k + kTile);
    own.add(factors);
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 2; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int row = first_in + TileSum::line() + i, col = first_out + TileSum::column() + j;
      if (row < shape.in && col < shape.out)
        gradient[part * shape.size + static_cast<std::size_t>(row) * shape.g_stride + col] = own.sum[i][j];
    }
  if (!sums) return;
  float* columns = factors.left[0];
  columns[threadIdx.x] = column;
  __syncthreads();
  const int col = static_cast<int>(threadIdx.x);
  if (col >= kTile || first_out + col >= shape.out) return;
  float all = 0;
  for (int i = 0; i < kTileRows; ++i) all += columns[i * kTile + col];
  bias[part * shape.size + first_out + col] = all;
}

}  // namespace mirrorball::cuda
