#include "kernels/bfloat.h"

#include <algorithm>
#include <bit>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/bfloat.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "kernels/activation.h"
#include "kernels/amx.h"
#include "kernels/executable.h"
#include "kernels/level.h"

HWY_BEFORE_NAMESPACE();
namespace mirrorball::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Words = hn::CappedTag<std::uint32_t, kPadding>;
using Word = hn::Vec<Words>;

/// The bits of the floats at x, rounded so that the upper half is the bfloat: half of the last kept bit is
/// added, less one where that bit is even.
HWY_INLINE Word Rounded(Words d, const float* x) {
  const Word bits = hn::Load(d, reinterpret_cast<const std::uint32_t*>(x));
  const Word odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(d, 1u));
  return hn::Add(bits, hn::Add(odd, hn::Set(d, 0x7fffu)));
}

HWY_INLINE Word Paired(Words d, const float* even_row, const float* odd_row) {
  const Word low = hn::ShiftRight<16>(Rounded(d, even_row));
  if (!odd_row) return low;
  return hn::Or(low, hn::And(Rounded(d, odd_row), hn::Set(d, 0xffff0000u)));
}

void ToBfloat(const float* x, std::size_t count, Bfloat* out) {
  const Words d;
  const hn::Rebind<std::uint16_t, Words> half;
  for (std::size_t i = 0; i < count; i += hn::Lanes(d))
    hn::StoreU(hn::TruncateTo(half, hn::ShiftRight<16>(Rounded(d, x + i))), half, out + i);
}

void ToPairs(const float* x, std::size_t rows, std::size_t width, std::size_t count, BfloatPair* pairs) {
  const Words d;
  std::fill(pairs + (rows + 1) / 2 * width, pairs + count * width, 0u);
  for (std::size_t row = 0; row < rows; row += 2, x += 2 * width, pairs += width)
    for (std::size_t j = 0; j < width; j += hn::Lanes(d))
      hn::Store(Paired(d, x + j, row + 1 < rows ? x + width + j : nullptr), d, pairs + j);
}

/// Sixteen columns at a time, so that the strided stores fill whole cache lines one after the other.
void ToTransposedPairs(const float* x, std::size_t rows, std::size_t width, std::size_t count,
                       BfloatPair* out) {
  const Words d;
  const std::size_t filled = (rows + 1) / 2;
  HWY_ALIGN BfloatPair block[kPadding * kPadding];
  for (std::size_t j = 0; j < width; j += kPadding) {
    for (std::size_t i = j; i < j + kPadding; ++i)
      std::fill(out + i * count + filled, out + (i + 1) * count, 0u);
    for (std::size_t first = 0; first < filled; first += kPadding) {
      const std::size_t pairs = first + kPadding < filled ? kPadding : filled - first;
      for (std::size_t p = 0; p < pairs; ++p) {
        const float* even_row = x + 2 * (first + p) * width + j;
        const float* odd_row = 2 * (first + p) + 1 < rows ? even_row + width : nullptr;
        for (std::size_t i = 0; i < kPadding; i += hn::Lanes(d))
          hn::Store(Paired(d, even_row + i, odd_row ? odd_row + i : nullptr), d, block + p * kPadding + i);
      }
      for (std::size_t i = 0; i < kPadding; ++i)
        for (std::size_t p = 0; p < pairs; ++p) out[(j + i) * count + first + p] = block[p * kPadding + i];
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace mirrorball::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#ifdef MIRRORBALL_LIBXSMM
#include <libxsmm.h>
#endif

namespace mirrorball::kernels {

HWY_EXPORT(ToBfloat);
HWY_EXPORT(ToPairs);
HWY_EXPORT(ToTransposedPairs);

void to_bfloat(const float* x, std::size_t count, Bfloat* out) {
  MIRRORBALL_DISPATCH(ToBfloat)(x, count, out);
}

void to_pairs(const float* x, std::size_t rows, std::size_t width, std::size_t count, BfloatPair* pairs) {
  MIRRORBALL_DISPATCH(ToPairs)(x, rows, width, count, pairs);
}

void to_transposed_pairs(const float* x, std::size_t rows, std::size_t width, std::size_t count,
                         BfloatPair* out) {
  MIRRORBALL_DISPATCH(ToTransposedPairs)(x, rows, width, count, out);
}

std::size_t bfloat_depth(std::size_t rows) {
  const std::size_t step = cpu_level().amx ? kAmxDepth : 2;
  return (rows + step - 1) / step * step;
}

BfloatGemm BfloatGemm::forward(std::size_t rows, std::size_t in, std::size_t out) {
  return BfloatGemm(Shape{rows, in, out, false});
}

BfloatGemm BfloatGemm::weight_gradient(std::size_t rows, std::size_t in, std::size_t out) {
  return BfloatGemm(Shape{in, rows, out, true});
}

// libxsmm is column-major: C[m x n] = beta C + A[m x k] B[k x n], A in pairs along k. It has no code for CPUs
// without the instruction, for an odd depth, nor where memory may not be executed.
BfloatGemm::BfloatGemm(const Shape& shape)
    : shape_(shape), amx_(cpu_level().amx && shape.depth % kAmxDepth == 0 && shape.out % kAmxSide == 0) {
  if (amx_) return;
#ifdef MIRRORBALL_LIBXSMM
  if (!cpu_level().bfloat) return;
  const auto blas = [](std::size_t size) { return static_cast<libxsmm_blasint>(size); };
  const libxsmm_blasint m = blas(shape.out), n = blas(shape.lines), k = blas(shape.depth);
  const float one = 1.0f, beta = shape.adds ? 1.0f : 0.0f;
  const int flags = LIBXSMM_GEMM_FLAG_VNNI_A;
  generated_ =
      reinterpret_cast<Generated>(libxsmm_bsmmdispatch(m, n, k, &m, &k, &m, &one, &beta, &flags, nullptr));
  if (!is_executable(reinterpret_cast<const void*>(generated_))) generated_ = nullptr;
#endif
}

void BfloatGemm::operator()(const Bfloat* x, const BfloatPair* second, float* result) const {
  if (generated_) return generated_(second, x, result);
  const auto [lines, depth, out, adds] = shape_;
  if (amx_) return amx_gemm(lines, depth, out, adds, x, second, result);
  const auto upper = [](std::uint32_t half) { return std::bit_cast<float>(half << 16); };
  if (!adds) std::fill_n(result, lines * out, 0.0f);
  for (std::size_t i = 0; i < lines; ++i)
    for (std::size_t k = 0; k < depth; k += 2) {
      const float even = upper(x[i * depth + k]), odd = k + 1 < depth ? upper(x[i * depth + k + 1]) : 0.0f;
      const BfloatPair* pairs = second + k / 2 * out;
      for (std::size_t j = 0; j < out; ++j)
        result[i * out + j] += even * upper(pairs[j] & 0xffffu) + odd * upper(pairs[j] >> 16);
    }
}

}  // namespace mirrorball::kernels
#endif
