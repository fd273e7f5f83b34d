#pragma once

#include <cuda_bf16.h>

#include <cstdint>

/// Products of a warp on tensor cores: bfloat16 factors in shared memory, sums in float. Matrices there are
/// row-major with rows kPitch apart, so that the eight rows of a fragment lie in different banks.
namespace mirrorball::cuda {

constexpr int kWidth = 128, kPitch = kWidth + 8;

using Bfloat = __nv_bfloat16;

/// Four 8 x 8 matrices; lane l gives the address of row l % 8 of matrix l / 8.
template <bool kTransposed>
__device__ inline void load_matrices(std::uint32_t (&to)[4], const Bfloat* from) {
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(from));
  if constexpr (kTransposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(address));
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(address));
}

/// c[16][8] += a[16][16] b[16][8].
__device__ inline void multiply_add(float (&c)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                                    std::uint32_t b1) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

/// 16 kRows rows from `row` of X times 8 kCols columns from `col` of W (kBack false) or of its transpose:
///   sum[m][n] = X[row + 16 m …][0 … 127] W[0 … 127][col + 8n …]
template <int kRows, int kCols, bool kBack>
__device__ inline void warp_product(float (&sum)[kRows][kCols][4], const Bfloat* x, const Bfloat* w, int row,
                                    int col) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const Bfloat* a_at = x + (row + lane % 16) * kPitch + lane / 16 * 8;
  const Bfloat* b_at = kBack ? w + (col + lane % 8 + lane / 16 * 8) * kPitch + lane / 8 % 2 * 8
                             : w + (lane % 8 + lane / 8 % 2 * 8) * kPitch + col + lane / 16 * 8;
#pragma unroll
  for (int m = 0; m < kRows; ++m)
#pragma unroll
    for (int n = 0; n < kCols; ++n) sum[m][n][0] = sum[m][n][1] = sum[m][n][2] = sum[m][n][3] = 0;
#pragma unroll
  for (int k = 0; k < kWidth; k += 16) {
    std::uint32_t a[kRows][4];
#pragma unroll
    for (int m = 0; m < kRows; ++m) load_matrices<false>(a[m], a_at + m * 16 * kPitch + k);
#pragma unroll
    for (int n = 0; n < kCols; n += 2) {
      std::uint32_t b[4];
      load_matrices<!kBack>(b, kBack ? b_at + n * 8 * kPitch + k : b_at + k * kPitch + n * 8);
#pragma unroll
      for (int m = 0; m < kRows; ++m) {
        multiply_add(sum[m][n], a[m], b[0], b[1]);
        multiply_add(sum[m][n + 1], a[m], b[2], b[3]);
      }
    }
  }
}

/// The 64 x 32 block at (row, col) of X' D, added up over `lines` lines: sum[m][n] is its part at 16 m, 8 n.
/// Row `ones` (0 or 8) of columns[i] gets the sums over the lines of D's columns at 8 (own + i).
template <int kLines>
__device__ inline void warp_gradient(float (&sum)[4][4][4], float (&columns)[2][4], const Bfloat* x,
                                     const Bfloat* d, int row, int col, int own, int ones) {
  constexpr std::uint32_t kOnes = 0x3f803f80u;  // two bfloats
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const Bfloat* a_at = x + (lane % 8 + lane / 16 * 8) * kPitch + row + lane / 8 % 2 * 8;
  const Bfloat* b_at = d + (lane % 8 + lane / 8 % 2 * 8) * kPitch + col + lane / 16 * 8;
  const std::uint32_t one = lane < 4 ? kOnes : 0u, low = ones == 0 ? one : 0u, high = ones == 0 ? 0u : one;
  const std::uint32_t all[4] = {low, high, low, high};
#pragma unroll
  for (int k = 0; k < kLines; k += 16) {
    std::uint32_t b[2][4];
    load_matrices<true>(b[0], b_at + k * kPitch);
    load_matrices<true>(b[1], b_at + k * kPitch + 16);
#pragma unroll
    for (int m = 0; m < 4; ++m) {
      std::uint32_t a[4];
      load_matrices<true>(a, a_at + k * kPitch + 16 * m);
#pragma unroll
      for (int n = 0; n < 4; ++n) multiply_add(sum[m][n], a, b[n / 2][n % 2 * 2], b[n / 2][n % 2 * 2 + 1]);
    }
    const bool second = own != 0;  // a choice of registers, not of an address
#pragma unroll
    for (int i = 0; i < 2; ++i)
      multiply_add(columns[i], all, second ? b[1][2 * i] : b[0][2 * i],
                   second ? b[1][2 * i + 1] : b[0][2 * i + 1]);
  }
}

}  // namespace mirrorball::cuda
