#pragma once

#include "engine/cuda/device/backward.cuh"
#include "engine/cuda/device/loss.cuh"
#include "engine/cuda/device/tiles.cuh"

/// The middle of a step for the usual network: DN+ with relu, width 128, two hidden layers, products of
/// bfloats. From psi and the noise table to the loss and all the way back in one kernel:
///
///   u = psi phi, h1 = relu(u W1 + b1), h2 = relu(h1 W2 + b2), y = h2 Wo' + bo, loss, and the gradients of
///   all of these
///
/// A block holds both weights in shared memory and takes tiles of kLines lines (draws of whole rows), one
/// after the other; what it sums up of the gradients of W1 and W2 stays in registers. All sums over lines are
/// products on tensor cores too. Block p writes part p.
namespace mirrorball::cuda {

constexpr int kFusedThreads = 256, kFusedWarps = kFusedThreads / 32, kFusedTargets = 4;
/// Rows of a noise table whose gradient fits into shared memory beside the rest.
constexpr int kFusedGrid = 80;

/// No row of the noise table, no row of the tile.
constexpr std::uint32_t kNoRow = ~0u;

struct FusedArrays {
  const float *weights, *psi, *phi;
  const std::uint32_t* index;  ///< of the noise table, for each line; null: every line has its own row of phi
  LossArrays loss;
  float *dpsi, *dtable;  ///< dtable: parts, grid x 128 each
  float* du;             ///< of all lines, where the table is too large for `dtable`; else null
  const float* phi_slope;
  Bfloat* dphi;  ///< of all lines, where every line has its own row of phi
  float* gradient;
  int grid;
};

/// What a block has in shared memory.
template <int kLines>
struct FusedSpace {
  Bfloat w1[kWidth * kPitch], w2[kWidth * kPitch];
  Bfloat u[kLines * kPitch], h1[kLines * kPitch], h2[kLines * kPitch];
  float heads[kFusedWarps][32][kFusedTargets];  ///< of each warp's 32 lines and its columns
  float y[kLines * kFusedTargets], dy[kLines * kFusedTargets], losses[kLines];
  float dtable[kFusedGrid * kPitch];  ///< rows apart like those of the bfloats
  float bias[2][kWidth], output[kFusedTargets][kWidth];
  std::uint32_t index[kLines];  ///< the tile's rows of phi; kNoRow behind its last line
  std::uint32_t row[kLines];    ///< of the tile, for each line; likewise
};

template <int kLines>
class FusedBlock {
  // Of a product a warp has 32 lines and kCols * 8 columns.
  static constexpr int kRowWarps = kLines / 32, kColWarps = kFusedWarps / kRowWarps;
  static constexpr int kCols = kWidth / kColWarps / 8;

  using Sums = float[2][kCols][4];

 public:
  __device__ FusedBlock(const Net& net, const Loss& loss, const FusedArrays& arrays, int rows,
                        FusedSpace<kLines>& space)
      : net_(net),
        loss_(loss),
        arrays_(arrays),
        rows_(rows),
        space_(space),
        lane_(static_cast<int>(threadIdx.x) % 32),
        warp_(static_cast<int>(threadIdx.x) / 32) {}

  __device__ void run() {
    load_weights();
    const int tile_rows = kLines / loss_.draws, tiles = (rows_ + tile_rows - 1) / tile_rows;
    for (int tile = static_cast<int>(blockIdx.x); tile < tiles; tile += static_cast<int>(gridDim.x)) {
      first_ = tile * tile_rows;
      lines_ = min(tile_rows, rows_ - first_) * loss_.draws;
      Sums sum;
      forward(sum);
      score();
      backward(sum);
    }
    write_gradients();
  }

 private:
  __device__ void load_weights() {
    for (int layer = 0; layer < 2; ++layer) {
      Bfloat* to = layer == 0 ? space_.w1 : space_.w2;
      const auto* from = reinterpret_cast<const float4*>(arrays_.weights + net_.hidden_weight(layer));
#pragma unroll 16
      for (int round = 0; round < kWidth * kWidth / 4 / kFusedThreads; ++round) {
        const int i = round * kFusedThreads + static_cast<int>(threadIdx.x);
        store_four(to + i / (kWidth / 4) * kPitch + i % (kWidth / 4) * 4, from[i]);
      }
    }
    for (int i = static_cast<int>(threadIdx.x); i < kFusedGrid * kPitch; i += kFusedThreads)
      space_.dtable[i] = 0;
    const int column = static_cast<int>(threadIdx.x) % kWidth, layer = static_cast<int>(threadIdx.x) / kWidth;
    space_.bias[layer][column] = arrays_.weights[net_.hidden_bias(layer) + column];
    for (int t = layer; t < net_.targets; t += 2)
      space_.output[t][column] = arrays_.weights[net_.output_weight + t * kWidth + column];
  }

  __device__ static void store_four(Bfloat* to, float4 four) {
    const __nv_bfloat162 pairs[2] = {__floats2bfloat162_rn(four.x, four.y),
                                     __floats2bfloat162_rn(four.z, four.w)};
    *reinterpret_cast<uint2*>(to) = *reinterpret_cast<const uint2*>(pairs);
  }

  __device__ static float4 load_four(const Bfloat* from) {
    const uint2 four = *reinterpret_cast<const uint2*>(from);
    const float2 a = __bfloat1622float2(*reinterpret_cast<const __nv_bfloat162*>(&four.x)),
                 b = __bfloat1622float2(*reinterpret_cast<const __nv_bfloat162*>(&four.y));
    return {a.x, a.y, b.x, b.y};
  }

  __device__ std::size_t line(int l) const { return static_cast<std::size_t>(first_) * loss_.draws + l; }
  __device__ const float* psi(int l) const {
    return arrays_.psi + static_cast<std::size_t>(first_ + space_.row[l]) * kWidth;
  }
  __device__ const float* phi(int l) const {
    return arrays_.phi + static_cast<std::size_t>(space_.index[l]) * kWidth;
  }
  __device__ int row_of_warp() const { return warp_ % kRowWarps * 32; }
  __device__ int col_of_warp() const { return warp_ / kRowWarps * kCols * 8; }

  /// The warp's part of x W, or of x W' where kBack.
  template <bool kBack>
  __device__ void multiply(Sums& sum, const Bfloat* x, const Bfloat* w) const {
    warp_product<2, kCols, kBack>(sum, x, w, row_of_warp(), col_of_warp());
  }

  /// Calls body(pair of sums, line, column of the first of them, number of the line among the thread's four)
  /// for this thread's pairs of a warp's product.
  template <class Body>
  __device__ void for_pairs(Sums& sum, Body&& body) const {
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
      for (int n = 0; n < kCols; ++n)
        body(sum[i / 2][n][i % 2 * 2], sum[i / 2][n][i % 2 * 2 + 1], line_of_thread(i), column_of_thread(n),
             i);
  }

  __device__ int line_of_thread(int i) const { return row_of_warp() + lane_ / 4 + 8 * i; }
  __device__ int column_of_thread(int n) const { return col_of_warp() + n * 8 + lane_ % 4 * 2; }

  __device__ static void store_pair(Bfloat* x, int l, int j, float a, float b) {
    *reinterpret_cast<__nv_bfloat162*>(x + l * kPitch + j) = __floats2bfloat162_rn(a, b);
  }

  /// u, h1 and h2, which stays in `sum` too, and what each warp has of y.
  __device__ void forward(Sums& sum) {
    if (const int l = static_cast<int>(threadIdx.x); l < kLines) {
      const bool there = l < lines_;
      space_.index[l] = !there          ? kNoRow
                        : arrays_.index ? arrays_.index[line(l)]
                                        : static_cast<std::uint32_t>(line(l));
      space_.row[l] = there ? static_cast<std::uint32_t>(l / loss_.draws) : kNoRow;
    }
    __syncthreads();
#pragma unroll 8
    for (int l = warp_; l < kLines; l += kFusedWarps) {
      float4 u = {};
      if (l < lines_) {
        const float4 p = reinterpret_cast<const float4*>(psi(l))[lane_],
                     f = reinterpret_cast<const float4*>(phi(l))[lane_];
        u = {p.x * f.x, p.y * f.y, p.z * f.z, p.w * f.w};
      }
      store_four(space_.u + l * kPitch + lane_ * 4, u);
    }
    __syncthreads();
    multiply<false>(sum, space_.u, space_.w1);
    for_pairs(sum, [&](float a, float b, int l, int j, int) {
      const float2 bias = *reinterpret_cast<const float2*>(space_.bias[0] + j);
      store_pair(space_.h1, l, j, fmaxf(a + bias.x, 0.0f), fmaxf(b + bias.y, 0.0f));
    });
    __syncthreads();
    multiply<false>(sum, space_.h1, space_.w2);
    for_pairs(sum, [&](float& a, float& b, int l, int j, int) {
      const float2 bias = *reinterpret_cast<const float2*>(space_.bias[1] + j);
      a = fmaxf(a + bias.x, 0.0f);
      b = fmaxf(b + bias.y, 0.0f);
      store_pair(space_.h2, l, j, a, b);
    });
#pragma unroll 1
    for (int t = 0; t < net_.targets; ++t) {
      float heads[4] = {};
      for_pairs(sum, [&](float a, float b, int, int j, int i) {
        const float2 out = *reinterpret_cast<const float2*>(space_.output[t] + j);
        heads[i] = fmaf(a, out.x, fmaf(b, out.y, heads[i]));
      });
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        float all = heads[i];
        all += __shfl_xor_sync(~0u, all, 1);
        all += __shfl_xor_sync(~0u, all, 2);
        if (lane_ % 4 == 0) space_.heads[warp_][lane_ / 4 + 8 * i][t] = all;
      }
    }
    __syncthreads();
  }

  /// y of every line, its loss and the slopes.
  __device__ void score() {
    const int targets = net_.targets;
    for (int i = static_cast<int>(threadIdx.x); i < kLines * targets; i += kFusedThreads) {
      const int l = i / targets, t = i % targets;
      float sum = arrays_.weights[net_.output_bias + t];
      for (int c = 0; c < kColWarps; ++c) sum += space_.heads[l / 32 + c * kRowWarps][l % 32][t];
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

  /// From h2, which `sum` has too, to the gradients of all that came before.
  __device__ void backward(Sums& sum) {
    output_gradient();
    __syncthreads();  // all have read h2
    to_second_layer(sum);
    __syncthreads();
    const int row = warp_ % 2 * 64, col = warp_ / 2 * 32, own = warp_ % 2 * 2;
    warp_gradient<kLines>(dw2_, columns_, space_.h1, space_.h2, row, col, own, 8);
    multiply<true>(sum, space_.h2, space_.w2);
    __syncthreads();  // all have read h1
    for_pairs(sum, [&](float a, float b, int l, int j, int) {
      const float2 h =
          __bfloat1622float2(*reinterpret_cast<const __nv_bfloat162*>(space_.h1 + l * kPitch + j));
      store_pair(space_.h1, l, j, h.x > 0 ? a : 0.0f, h.y > 0 ? b : 0.0f);
    });
    __syncthreads();
    warp_gradient<kLines>(dw1_, columns_, space_.u, space_.h1, row, col, own, 0);
    multiply<true>(sum, space_.h1, space_.w1);
    for_pairs(sum, [&](float a, float b, int l, int j, int) { store_pair(space_.h2, l, j, a, b); });
    __syncthreads();
    merge_backward();
    __syncthreads();
    sum_lines();
    __syncthreads();
  }

  /// dWo = dy' h2, dy as the sum of two bfloats in rows 1 + t and 9 + t of a left factor; and dbo.
  __device__ void output_gradient() {
    const int t = lane_ / 4 - 1, col = warp_ / 2 * 32 + warp_ % 2 * 16;
    const Bfloat* at = space_.h2 + (lane_ % 8 + lane_ / 8 % 2 * 8) * kPitch + col + lane_ / 16 * 8;
    const auto slope = [&](int l) {
      return t >= 0 && t < net_.targets ? space_.dy[l * net_.targets + t] : 0.0f;
    };
#pragma unroll
    for (int k = 0; k < kLines; k += 16) {
      const int l = k + lane_ % 4 * 2;
      std::uint32_t a[4], b[4];
      split(slope(l), slope(l + 1), a[0], a[1]);
      split(slope(l + 8), slope(l + 9), a[2], a[3]);
      load_matrices<true>(b, at + k * kPitch);
      multiply_add(columns_[0], a, b[0], b[1]);
      multiply_add(columns_[1], a, b[2], b[3]);
    }
    if (warp_ < net_.targets) {
      float sum = 0;
      for (int l = lane_; l < lines_; l += 32) sum += space_.dy[l * net_.targets + warp_];
      output_bias_ += warp_sum(sum);
    }
  }

  /// d2 = relu' dy Wo takes the place of h2.
  __device__ void to_second_layer(Sums& sum) {
    if (net_.targets == 1) {
      for_pairs(sum, [&](float a, float b, int l, int j, int) {
        const float2 out = *reinterpret_cast<const float2*>(space_.output[0] + j);
        const float slope = space_.dy[l];
        store_pair(space_.h2, l, j, a > 0 ? slope * out.x : 0.0f, b > 0 ? slope * out.y : 0.0f);
      });
      return;
    }
    for_pairs(sum, [&](float a, float b, int l, int j, int) {
      float2 d = {};
#pragma unroll 1
      for (int t = 0; t < net_.targets; ++t) {
        const float2 out = *reinterpret_cast<const float2*>(space_.output[t] + j);
        const float slope = space_.dy[l * net_.targets + t];
        d = {fmaf(slope, out.x, d.x), fmaf(slope, out.y, d.y)};
      }
      store_pair(space_.h2, l, j, a > 0 ? d.x : 0.0f, b > 0 ? d.y : 0.0f);
    });
  }

  /// From du, which has the place of h2, to what is summed over lines: du phi takes the place of u, du psi
  /// that of du, or goes to memory. A warp takes a line at a time.
  __device__ void merge_backward() {
#pragma unroll 8
    for (int l = warp_; l < kLines; l += kFusedWarps) {
      Bfloat* at = space_.h2 + l * kPitch + lane_ * 4;
      const float4 d = load_four(at);
      float4 p = {}, f = {};
      if (l < lines_) {
        p = reinterpret_cast<const float4*>(psi(l))[lane_];
        f = reinterpret_cast<const float4*>(phi(l))[lane_];
      }
      store_four(space_.u + l * kPitch + lane_ * 4, product_of(d, f));
      if (!arrays_.du && !arrays_.dphi) store_four(at, product_of(d, p));
      if (l >= lines_) continue;
      const std::size_t place = line(l) * (kWidth / 4) + lane_;
      if (arrays_.du) reinterpret_cast<float4*>(arrays_.du)[place] = d;
      if (arrays_.dphi)
        store_four(arrays_.dphi + 4 * place,
                   product_of(product_of(d, p), reinterpret_cast<const float4*>(arrays_.phi_slope)[place]));
    }
  }

  __device__ static float4 product_of(float4 a, float4 b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w};
  }

  /// Sums over the lines of a row and over those that use a row of the noise table, as products: the left
  /// factor has 1 where a line belongs to a row. A warp takes 16 rows and half of the columns at a time.
  __device__ void sum_lines() {
    const int rows = lines_ / loss_.draws, row_units = (rows + 15) / 16 * 2,
              table_units = arrays_.du || arrays_.dphi ? 0 : (arrays_.grid + 15) / 16 * 2;
    for (int unit = warp_; unit < row_units + table_units; unit += kFusedWarps) {
      const bool of_row = unit < row_units;
      const int first = (of_row ? unit : unit - row_units) / 2 * 16, col = unit % 2 * (kWidth / 2);
      float sum[kFragments / 2][4] = {};
      belonging_product(sum, of_row ? space_.row : space_.index,
                        static_cast<std::uint32_t>(first + lane_ / 4), (of_row ? space_.u : space_.h2) + col);
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int r = first + lane_ / 4 + 8 * half;
        if (r >= (of_row ? rows : arrays_.grid)) continue;
#pragma unroll
        for (int n = 0; n < kFragments / 2; ++n) {
          const float a = sum[n][2 * half], b = sum[n][2 * half + 1];
          const int j = col + n * 8 + lane_ % 4 * 2;
          if (of_row) {
            write_row(r, j, a, b);
          } else {
            auto& to = *reinterpret_cast<float2*>(space_.dtable + r * kPitch + j);
            to = make_float2(to.x + a, to.y + b);
          }
        }
      }
    }
  }

  /// sum[r][…] = the sum of x[l] over the lines whose number of[l] is first + r.
  __device__ void belonging_product(float (&sum)[kFragments / 2][4], const std::uint32_t* of,
                                    std::uint32_t row, const Bfloat* x) const {
    constexpr std::uint32_t kLow = 0x3f80u, kHigh = kLow << 16;  // 1 as a bfloat
    const Bfloat* at = x + (lane_ % 8 + lane_ / 8 % 2 * 8) * kPitch + lane_ / 16 * 8;
#pragma unroll
    for (int k = 0; k < kLines; k += 16) {
      std::uint32_t a[4];
#pragma unroll
      for (int eight = 0; eight < 2; ++eight) {
        const uint2 l = *reinterpret_cast<const uint2*>(of + k + 8 * eight + lane_ % 4 * 2);
        a[2 * eight] = (l.x == row ? kLow : 0u) | (l.y == row ? kHigh : 0u);
        a[2 * eight + 1] = (l.x == row + 8 ? kLow : 0u) | (l.y == row + 8 ? kHigh : 0u);
      }
#pragma unroll
      for (int n = 0; n < kFragments / 2; n += 2) {
        std::uint32_t b[4];
        load_matrices<true>(b, at + k * kPitch + n * 8);
        multiply_add(sum[n], a, b[0], b[1]);
        multiply_add(sum[n + 1], a, b[2], b[3]);
      }
    }
  }

  __device__ void write_row(int s, int j, float a, float b) const {
    const std::size_t at = static_cast<std::size_t>(first_ + s) * kWidth + j;
    const float2 p = *reinterpret_cast<const float2*>(arrays_.psi + at);
    const bool open = net_.input_act == kIdentity;
    *reinterpret_cast<float2*>(arrays_.dpsi + at) =
        make_float2(open || p.x > 0 ? a : 0.0f, open || p.y > 0 ? b : 0.0f);
  }

  __device__ void write_gradients() {
    float* own = arrays_.gradient + blockIdx.x * net_.size;
    const int row = warp_ % 2 * 64, col = warp_ / 2 * 32;
#pragma unroll
    for (int m = 0; m < 4; ++m)
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
    write_columns(own);
    if (warp_ < net_.targets && lane_ == 0) own[net_.output_bias + warp_] = output_bias_;
    if (arrays_.du || arrays_.dphi) return;
    for (int i = static_cast<int>(threadIdx.x); i < arrays_.grid * kWidth; i += kFusedThreads)
      arrays_.dtable[static_cast<std::size_t>(blockIdx.x) * arrays_.grid * kWidth + i] =
          space_.dtable[i / kWidth * kPitch + i % kWidth];
  }

  /// The rows of the sums over columns: 0 and 8 of the biases, 1 + t and 9 + t of dWo.
  __device__ void write_columns(float* own) const {
    const int t = lane_ / 4 - 1;
#pragma unroll
    for (int n = 0; n < 2; ++n) {
      const int j = warp_ / 2 * 32 + warp_ % 2 * 16 + n * 8 + lane_ % 4 * 2;
      const float* sum = columns_[n];
      if (t < 0) {
        *reinterpret_cast<float2*>(own + net_.hidden_bias(0) + j) = make_float2(sum[0], sum[1]);
        *reinterpret_cast<float2*>(own + net_.hidden_bias(1) + j) = make_float2(sum[2], sum[3]);
      } else if (t < net_.targets) {
        *reinterpret_cast<float2*>(own + net_.output_weight + t * kWidth + j) =
            make_float2(sum[0] + sum[2], sum[1] + sum[3]);
      }
    }
  }

  const Net& net_;
  const Loss& loss_;
  const FusedArrays& arrays_;
  int rows_;
  FusedSpace<kLines>& space_;
  int lane_, warp_;
  int first_ = 0, lines_ = 0;  ///< of the tile: first row, number of lines
  float dw1_[4][4][4] = {}, dw2_[4][4][4] = {};
  float columns_[2][4] = {};  ///< sums over lines for 16 columns of each warp
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
