#pragma once

#include "engine/cuda/device/backward.cuh"
#include "engine/cuda/device/loss.cuh"
#include "engine/cuda/device/tensor_core.cuh"

/// The middle of a step for the usual network: DN+ with relu, width 128, two hidden layers, products of
/// bfloats. From psi and the noise table to the loss and all the way back in one kernel:
///
///   u = psi phi, h1 = relu(u W1 + b1), h2 = relu(h1 W2 + b2), y = h2 Wo' + bo, loss, and the gradients of
///   all of these
///
/// A block holds both weights in shared memory and takes tiles of kLines lines (draws of whole rows), one
/// after the other; what it sums up of the gradients of W1 and W2 stays in registers. Block p writes part p.
namespace mirrorball::cuda {

constexpr int kFusedThreads = 512, kFusedGroups = kFusedThreads / kWidth, kFusedTargets = 4;
/// Rows of a noise table whose gradient fits into shared memory beside the rest.
constexpr int kFusedGrid = 64;

/// No row of the noise table.
constexpr std::uint32_t kNoRow = ~0u;

struct FusedArrays {
  const float *weights, *psi, *phi;
  const std::uint32_t* index;  ///< of the noise table, for each line
  LossArrays loss;
  float *dpsi, *dtable;  ///< dtable: parts, grid x 128 each
  float* du;             ///< of all lines, where the table is too large for `dtable`; else null
  float* gradient;
  int grid;
};

/// What a block has in shared memory; du takes the place of u and h2 when they are done with.
template <int kLines>
struct FusedSpace {
  Bfloat w1[kWidth * kPitch], w2[kWidth * kPitch];
  union {
    struct {
      Bfloat u[kLines * kPitch], h2[kLines * kPitch];
    };
    float du[kLines * kPitch];
  };
  Bfloat h1[kLines * kPitch];
  float heads[kFusedThreads / 32][16][kFusedTargets];  ///< of each warp's 16 lines and its columns
  float y[kLines * kFusedTargets], dy[kLines * kFusedTargets], losses[kLines];
  float dtable[kFusedGrid * kWidth];
  float bias[2][kWidth], output[kFusedTargets][kWidth];
  std::uint32_t index[kLines];  ///< the tile's rows of the noise table; kNoRow behind its last line
  std::uint32_t row[kLines];    ///< of the tile, for each line
};

/// The columns of D summed over a group's lines, and what else is summed for each column.
struct ColumnSums {
  float bias1 = 0, bias2 = 0, output[kFusedTargets] = {};
};

template <int kLines>
class FusedBlock {
  static constexpr int kRowWarps = kLines / 16, kColWarps = kFusedThreads / 32 / kRowWarps;
  static constexpr int kCols = kWidth / kColWarps / 8;

 public:
  __device__ FusedBlock(const Net& net, const Loss& loss, const FusedArrays& arrays, int rows,
                        FusedSpace<kLines>& space)
      : net_(net),
        loss_(loss),
        arrays_(arrays),
        rows_(rows),
        space_(space),
        lane_(static_cast<int>(threadIdx.x) % 32),
        warp_(static_cast<int>(threadIdx.x) / 32),
        column_(static_cast<int>(threadIdx.x) % kWidth),
        group_(static_cast<int>(threadIdx.x) / kWidth) {}

  __device__ void run() {
    load_weights();
    const int tile_rows = kLines / loss_.draws, tiles = (rows_ + tile_rows - 1) / tile_rows;
    for (int tile = static_cast<int>(blockIdx.x); tile < tiles; tile += static_cast<int>(gridDim.x)) {
      first_ = tile * tile_rows;
      lines_ = min(tile_rows, rows_ - first_) * loss_.draws;
      forward();
      score();
      backward();
    }
    write_gradients();
  }

 private:
  __device__ void load_weights() {
    for (int layer = 0; layer < 2; ++layer) {
      Bfloat* to = layer == 0 ? space_.w1 : space_.w2;
      const auto* from = reinterpret_cast<const float4*>(arrays_.weights + net_.hidden_weight(layer));
#pragma unroll 8
      for (int round = 0; round < kWidth * kWidth / 4 / kFusedThreads; ++round) {
        const int i = round * kFusedThreads + static_cast<int>(threadIdx.x);
        const float4 four = from[i];
        auto* pairs =
            reinterpret_cast<__nv_bfloat162*>(to + i / (kWidth / 4) * kPitch + i % (kWidth / 4) * 4);
        pairs[0] = __floats2bfloat162_rn(four.x, four.y);
        pairs[1] = __floats2bfloat162_rn(four.z, four.w);
      }
    }
    for (int i = static_cast<int>(threadIdx.x); i < kFusedGrid * kWidth; i += kFusedThreads)
      space_.dtable[i] = 0;
    if (group_ < 2) space_.bias[group_][column_] = arrays_.weights[net_.hidden_bias(group_) + column_];
    if (group_ < net_.targets)
      space_.output[group_][column_] = arrays_.weights[net_.output_weight + group_ * kWidth + column_];
  }

  __device__ std::size_t line(int l) const { return static_cast<std::size_t>(first_) * loss_.draws + l; }
  __device__ float psi(int l) const {
    return arrays_.psi[static_cast<std::size_t>(first_ + space_.row[l]) * kWidth + column_];
  }
  __device__ float phi(int l) const {
    return arrays_.phi[static_cast<std::size_t>(space_.index[l]) * kWidth + column_];
  }
  __device__ int row_of_warp() const { return warp_ % kRowWarps * 16; }
  __device__ int col_of_warp() const { return warp_ / kRowWarps * kCols * 8; }

  /// Calls body(sum, line, column of the first of two neighbours) for this thread's pairs of a warp's
  /// product.
  template <class Body>
  __device__ void for_pairs(const float (&sum)[kCols][4], Body&& body) const {
#pragma unroll
    for (int n = 0; n < kCols; ++n)
#pragma unroll
      for (int half = 0; half < 2; ++half)
        body(sum[n][2 * half], sum[n][2 * half + 1], row_of_warp() + lane_ / 4 + 8 * half,
             col_of_warp() + n * 8 + lane_ % 4 * 2);
  }

  __device__ void forward() {
    if (const int l = static_cast<int>(threadIdx.x); l < kLines) {
      space_.index[l] = l < lines_ ? arrays_.index[line(l)] : kNoRow;
      space_.row[l] = l < lines_ ? static_cast<std::uint32_t>(l / loss_.draws) : 0u;
    }
    __syncthreads();
#pragma unroll 8
    for (int l = group_; l < kLines; l += kFusedGroups)
      space_.u[l * kPitch + column_] = __float2bfloat16_rn(l < lines_ ? psi(l) * phi(l) : 0.0f);
    __syncthreads();
    float sum[kCols][4];
    warp_product<kCols, false>(sum, space_.u, space_.w1, row_of_warp(), col_of_warp());
    const float* bias = space_.bias[0];
    for_pairs(sum, [&](float a, float b, int l, int j) {
      *reinterpret_cast<__nv_bfloat162*>(space_.h1 + l * kPitch + j) =
          __floats2bfloat162_rn(fmaxf(a + bias[j], 0.0f), fmaxf(b + bias[j + 1], 0.0f));
    });
    __syncthreads();
    warp_product<kCols, false>(sum, space_.h1, space_.w2, row_of_warp(), col_of_warp());
    bias = space_.bias[1];
    float heads[2][kFusedTargets] = {};
    for_pairs(sum, [&](float a, float b, int l, int j) {
      a = fmaxf(a + bias[j], 0.0f);
      b = fmaxf(b + bias[j + 1], 0.0f);
      *reinterpret_cast<__nv_bfloat162*>(space_.h2 + l * kPitch + j) = __floats2bfloat162_rn(a, b);
      const int half = l / 8 % 2;
#pragma unroll
      for (int t = 0; t < kFusedTargets; ++t) {
        if (t >= net_.targets) break;
        const float* out = space_.output[t] + j;
        heads[half][t] = fmaf(a, out[0], fmaf(b, out[1], heads[half][t]));
      }
    });
#pragma unroll
    for (int half = 0; half < 2; ++half)
#pragma unroll
      for (int t = 0; t < kFusedTargets; ++t) {
        if (t >= net_.targets) break;
        float all = heads[half][t];
        all += __shfl_xor_sync(~0u, all, 1);
        all += __shfl_xor_sync(~0u, all, 2);
        if (lane_ % 4 == 0) space_.heads[warp_][lane_ / 4 + 8 * half][t] = all;
      }
    __syncthreads();
  }

  /// y of every line, its loss and the slopes.
  __device__ void score() {
    const int targets = net_.targets;
    for (int i = static_cast<int>(threadIdx.x); i < kLines * targets; i += kFusedThreads) {
      const int l = i / targets, t = i % targets;
      float sum = arrays_.weights[net_.output_bias + t];
      for (int c = 0; c < kColWarps; ++c) sum += space_.heads[l / 16 + c * kRowWarps][l % 16][t];
      space_.y[i] = sum;
      space_.dy[i] = 0;
    }
    __syncthreads();
    const int l = static_cast<int>(threadIdx.x);
    if (l < lines_) {
      const int s = l / loss_.draws, n = l % loss_.draws, at = s * loss_.draws * targets;
      const std::size_t row = arrays_.loss.which[first_ + s];
      const RowDraws draws{loss_, arrays_.loss.targets + row * targets, space_.y + at};
      const float scale = arrays_.loss.weights[row] / static_cast<float>(rows_);
      space_.losses[l] = scale * draws.part(n, scale, space_.dy + at);
      if (loss_.strata) draws.repel(n, arrays_.loss.points[space_.index[l]], scale, space_.dy + at);
    }
    __syncthreads();
    if (l < lines_ / loss_.draws) {
      double sum = 0;
      for (int n = 0; n < loss_.draws; ++n) sum += static_cast<double>(space_.losses[l * loss_.draws + n]);
      arrays_.loss.row_losses[first_ + l] = sum;
    }
  }

  __device__ void backward() {
    head_columns();
    __syncthreads();
    const int row = warp_ % 4 * 32, col = warp_ / 4 * 32;
    warp_gradient<kLines>(dw2_, space_.h1, space_.h2, row, col);
    float sum[kCols][4];
    warp_product<kCols, true>(sum, space_.h2, space_.w2, row_of_warp(), col_of_warp());
    __syncthreads();  // all have read h1
    for_pairs(sum, [&](float a, float b, int l, int j) {
      auto* at = reinterpret_cast<__nv_bfloat162*>(space_.h1 + l * kPitch + j);
      const float2 h = __bfloat1622float2(*at);
      *at = __floats2bfloat162_rn(h.x > 0 ? a : 0.0f, h.y > 0 ? b : 0.0f);
    });
    __syncthreads();
    warp_gradient<kLines>(dw1_, space_.u, space_.h1, row, col);
    for (int l = group_; l < kLines; l += kFusedGroups)
      columns_.bias1 += __bfloat162float(space_.h1[l * kPitch + column_]);
    warp_product<kCols, true>(sum, space_.h1, space_.w1, row_of_warp(), col_of_warp());
    __syncthreads();  // all have read u
    for_pairs(sum, [&](float a, float b, int l, int j) {
      *reinterpret_cast<float2*>(space_.du + l * kPitch + j) = make_float2(a, b);
    });
    __syncthreads();
    merge_columns();
    __syncthreads();
  }

  /// d2 = relu' dy Wo takes the place of h2; the sums of its columns, and dWo.
  __device__ void head_columns() {
    float out[kFusedTargets];
#pragma unroll
    for (int t = 0; t < kFusedTargets; ++t) out[t] = t < net_.targets ? space_.output[t][column_] : 0.0f;
#pragma unroll 4
    for (int l = group_; l < kLines; l += kFusedGroups) {
      const float h = __bfloat162float(space_.h2[l * kPitch + column_]);
      float d = 0;
#pragma unroll
      for (int t = 0; t < kFusedTargets; ++t) {
        if (t >= net_.targets) break;
        const float slope = space_.dy[l * net_.targets + t];
        d = fmaf(slope, out[t], d);
        columns_.output[t] = fmaf(slope, h, columns_.output[t]);
      }
      d = h > 0 ? d : 0.0f;
      columns_.bias2 += d;
      space_.h2[l * kPitch + column_] = __float2bfloat16_rn(d);
    }
    if (warp_ < net_.targets) {
      float sum = 0;
      for (int l = lane_; l < lines_; l += 32) sum += space_.dy[l * net_.targets + warp_];
      output_bias_ += warp_sum(sum);
    }
  }

  /// From du to dpsi, every group of threads for some rows; and to the noise table, every group for some rows
  /// of it, in the order of the lines.
  __device__ void merge_columns() {
    const int draws = loss_.draws;
    for (int s = group_; s * draws < lines_; s += kFusedGroups) {
      float sum = 0;
#pragma unroll 8
      for (int n = 0; n < draws; ++n)
        sum = fmaf(space_.du[(s * draws + n) * kPitch + column_], phi(s * draws + n), sum);
      const bool open = net_.input_act == kIdentity || psi(s * draws) > 0;
      arrays_.dpsi[static_cast<std::size_t>(first_ + s) * kWidth + column_] = open ? sum : 0.0f;
    }
    if (arrays_.du) {
      for (int l = group_; l < lines_; l += kFusedGroups)
        arrays_.du[line(l) * kWidth + column_] = space_.du[l * kPitch + column_];
      return;
    }
    constexpr int kAtOnce = 8;
    for (int l = 0; l < lines_; l += kAtOnce) {
      float part[kAtOnce];
#pragma unroll
      for (int i = 0; i < kAtOnce; ++i) part[i] = space_.du[(l + i) * kPitch + column_] * psi(l + i);
#pragma unroll
      for (int i = 0; i < kAtOnce; ++i) {
        const std::uint32_t g = space_.index[l + i];
        if (g != kNoRow && g % kFusedGroups == static_cast<std::uint32_t>(group_))
          space_.dtable[g * kWidth + column_] += part[i];
      }
    }
  }

  __device__ void write_gradients() {
    float* own = arrays_.gradient + blockIdx.x * net_.size;
    const int row = warp_ % 4 * 32, col = warp_ / 4 * 32;
#pragma unroll
    for (int m = 0; m < 2; ++m)
#pragma unroll
      for (int n = 0; n < 4; ++n)
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          const int at = (row + m * 16 + lane_ / 4 + 8 * half) * kWidth + col + n * 8 + lane_ % 4 * 2;
          *reinterpret_cast<float2*>(own + net_.hidden_weight(0) + at) =
              make_float2(dw1_[m][n][2 * half], dw1_[m][n][2 * half + 1]);
          *reinterpret_cast<float2*>(own + net_.hidden_weight(1) + at) =
              make_float2(dw2_[m][n][2 * half], dw2_[m][n][2 * half + 1]);
        }
    write_column(columns_.bias1, own + net_.hidden_bias(0));
    write_column(columns_.bias2, own + net_.hidden_bias(1));
#pragma unroll
    for (int t = 0; t < kFusedTargets; ++t)
      if (t < net_.targets) write_column(columns_.output[t], own + net_.output_weight + t * kWidth);
    if (warp_ < net_.targets && lane_ == 0) own[net_.output_bias + warp_] = output_bias_;
    if (arrays_.du) return;
    for (int i = static_cast<int>(threadIdx.x); i < arrays_.grid * kWidth; i += kFusedThreads)
      arrays_.dtable[static_cast<std::size_t>(blockIdx.x) * arrays_.grid * kWidth + i] = space_.dtable[i];
  }

  /// The groups' sums of a column, in their order.
  __device__ void write_column(float sum, float* to) {
    __syncthreads();
    space_.du[threadIdx.x] = sum;
    __syncthreads();
    if (group_ > 0) return;
    for (int g = 1; g < kFusedGroups; ++g) sum += space_.du[g * kWidth + column_];
    to[column_] = sum;
  }

  const Net& net_;
  const Loss& loss_;
  const FusedArrays& arrays_;
  int rows_;
  FusedSpace<kLines>& space_;
  int lane_, warp_, column_, group_;
  int first_ = 0, lines_ = 0;  ///< of the tile: first row, number of lines
  float dw1_[2][4][4] = {}, dw2_[2][4][4] = {};
  ColumnSums columns_;
  float output_bias_ = 0;
};

template <int kLines>
__global__ void __launch_bounds__(kFusedThreads, 1)
    fused_tiles(Net net, Loss loss, Rows rows, FusedArrays arrays) {
  extern __shared__ __align__(16) unsigned char memory[];
  FusedBlock<kLines>(net, loss, arrays, rows.get(), *reinterpret_cast<FusedSpace<kLines>*>(memory)).run();
}

/// dphi = tanh' times the sum of the blocks' gradients of the noise table, in their order.
__global__ void sum_tables(const float* tables, int parts, int count, const float* slope, float* dphi) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  float sum = 0;
#pragma unroll 8
  for (int part = 0; part < parts; ++part) sum += tables[static_cast<std::size_t>(part) * count + i];
  dphi[i] = sum * slope[i];
}

}  // namespace mirrorball::cuda
