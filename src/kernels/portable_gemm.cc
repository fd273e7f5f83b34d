#include "kernels/portable_gemm.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/portable_gemm.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "base/padding.h"
#include "kernels/level.h"

HWY_BEFORE_NAMESPACE();
namespace mirrorball::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// A block of the result stays in registers: 6 x 4 of 32, or 6 x 2 of 16.
constexpr std::size_t kBlockLines = 6;
constexpr std::size_t kBlockVectors = HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON ? 4 : 2;

template <std::size_t kLines, std::size_t kVectors, class D>
HWY_INLINE void Block(D d, const PortableShape& s, const float* a, const float* b, float* result) {
  hn::Vec<D> sum[kLines][kVectors], row[kVectors];
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < kLines; ++i)
    for (std::size_t v = 0; v < kVectors; ++v)
      sum[i][v] = s.adds ? hn::LoadU(d, result + i * s.result_stride + v * lanes) : hn::Zero(d);
  for (std::size_t k = 0; k < s.depth; ++k, a += s.depth_step, b += s.b_stride) {
    for (std::size_t v = 0; v < kVectors; ++v) row[v] = hn::LoadU(d, b + v * lanes);
    for (std::size_t i = 0; i < kLines; ++i) {
      const auto factor = hn::Set(d, a[i * s.line_step]);
      for (std::size_t v = 0; v < kVectors; ++v) sum[i][v] = hn::MulAdd(factor, row[v], sum[i][v]);
    }
  }
  for (std::size_t i = 0; i < kLines; ++i)
    for (std::size_t v = 0; v < kVectors; ++v)
      hn::StoreU(sum[i][v], d, result + i * s.result_stride + v * lanes);
}

/// All lines of kVectors vectors of columns, in blocks as even as whole numbers allow.
template <std::size_t kVectors, class D>
void Strip(D d, const PortableShape& s, const float* a, const float* b, float* result) {
  const std::size_t blocks = (s.lines + kBlockLines - 1) / kBlockLines;
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::size_t begin = s.lines * block / blocks, count = s.lines * (block + 1) / blocks - begin;
    const float* from = a + begin * s.line_step;
    float* to = result + begin * s.result_stride;
    switch (count) {
      case 6:
        Block<6, kVectors>(d, s, from, b, to);
        break;
      case 5:
        Block<5, kVectors>(d, s, from, b, to);
        break;
      case 4:
        Block<4, kVectors>(d, s, from, b, to);
        break;
      case 3:
        Block<3, kVectors>(d, s, from, b, to);
        break;
      case 2:
        Block<2, kVectors>(d, s, from, b, to);
        break;
      default:
        Block<1, kVectors>(d, s, from, b, to);
    }
  }
}

/// The columns from `first` on: as many whole vectors as there are, then the same with half the lanes.
template <class D>
void Columns(D d, const PortableShape& s, std::size_t first, const float* a, const float* b, float* result) {
  const std::size_t lanes = hn::Lanes(d);
  if constexpr (hn::MaxLanes(d) == hn::MaxLanes(hn::CappedTag<float, kPadding>()))
    for (; first + kBlockVectors * lanes <= s.out; first += kBlockVectors * lanes)
      Strip<kBlockVectors>(d, s, a, b + first, result + first);
  for (; first + lanes <= s.out; first += lanes) Strip<1>(d, s, a, b + first, result + first);
  if constexpr (hn::MaxLanes(d) > 1)
    if (first < s.out) Columns(hn::Half<D>(), s, first, a, b, result);
}

void PortableGemm(const PortableShape& s, const float* a, const float* b, float* result) {
  Columns(hn::CappedTag<float, kPadding>(), s, 0, a, b, result);
}

}  // namespace HWY_NAMESPACE
}  // namespace mirrorball::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mirrorball::kernels {

HWY_EXPORT(PortableGemm);

void portable_gemm(const PortableShape& shape, const float* a, const float* b, float* result) {
  // Without lines, or with nothing to add, the arrays may be empty: no address may be reckoned from theirs.
  if (shape.lines == 0 || (shape.adds && shape.depth == 0)) return;
  MIRRORBALL_DISPATCH(PortableGemm)(shape, a, b, result);
}

}  // namespace mirrorball::kernels
#endif
