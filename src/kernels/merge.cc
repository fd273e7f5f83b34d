#include "kernels/merge.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/merge.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "kernels/activation.h"
#include "kernels/level.h"

HWY_BEFORE_NAMESPACE();
namespace mirrorball::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::CappedTag<float, kPadding>;
using Vec = hn::Vec<Floats>;

template <Merge kKind>
void ForwardRows(const MergeShape& shape, const float* psi, const float* noise, float* u) {
  const Floats d;
  const std::size_t step = hn::Lanes(d), width = shape.width;
  for (std::size_t s = 0; s < shape.rows; ++s) {
    for (std::size_t n = 0; n < shape.draws; ++n, u += width) {
      const float* row = noise + shape.index[s * shape.draws + n] * width;
      for (std::size_t j = 0; j < width; j += step) {
        const Vec p = hn::Load(d, psi + s * width + j), q = hn::Load(d, row + j);
        hn::Store(kKind == Merge::kMultiply ? hn::Mul(p, q) : hn::Add(p, q), d, u + j);
      }
    }
  }
}

template <Merge kKind>
void BackwardRows(const MergeShape& shape, const float* du, const float* psi, const float* noise, float* dpsi,
                  float* dnoise) {
  const Floats d;
  const std::size_t step = hn::Lanes(d), width = shape.width;
  for (std::size_t s = 0; s < shape.rows; ++s) {
    const std::uint32_t* index = shape.index + s * shape.draws;
    const float* first = du + s * shape.draws * width;
    for (std::size_t j = 0; j < width; j += step) {
      const Vec p = hn::Load(d, psi + s * width + j);
      Vec sum = hn::Zero(d);
      for (std::size_t n = 0; n < shape.draws; ++n) {
        const Vec g = hn::Load(d, first + n * width + j);
        const std::size_t at = index[n] * width + j;
        const Vec old = hn::Load(d, dnoise + at);
        if constexpr (kKind == Merge::kMultiply) {
          sum = hn::MulAdd(g, hn::Load(d, noise + at), sum);
          hn::Store(hn::MulAdd(g, p, old), d, dnoise + at);
        } else {
          sum = hn::Add(g, sum);
          hn::Store(hn::Add(g, old), d, dnoise + at);
        }
      }
      hn::Store(sum, d, dpsi + s * width + j);
    }
  }
}

void MergeForward(Merge kind, const MergeShape& shape, const float* psi, const float* noise, float* u) {
  if (kind == Merge::kMultiply) return ForwardRows<Merge::kMultiply>(shape, psi, noise, u);
  return ForwardRows<Merge::kAdd>(shape, psi, noise, u);
}

void MergeBackward(Merge kind, const MergeShape& shape, const float* du, const float* psi, const float* noise,
                   float* dpsi, float* dnoise) {
  if (kind == Merge::kMultiply) return BackwardRows<Merge::kMultiply>(shape, du, psi, noise, dpsi, dnoise);
  return BackwardRows<Merge::kAdd>(shape, du, psi, noise, dpsi, dnoise);
}

// Each vector is packed to its active lanes and stored whole; what it leaves behind them is written over by
// the next one, or cleared at the end of the row.
void MergeActive(const MergeShape& shape, const float* psi, const float* noise, float* u, std::size_t end) {
  const Floats d;
  const std::size_t step = hn::Lanes(d), width = shape.width;
  for (std::size_t n = 0; n < shape.draws; ++n, u += width) {
    const float* row = noise + shape.index[n] * width;
    std::size_t at = 0;
    for (std::size_t j = 0; j < width; j += step) {
      const Vec p = hn::Load(d, psi + j);
      const auto mask = hn::Ne(p, hn::Zero(d));
      hn::StoreU(hn::Compress(hn::Mul(p, hn::Load(d, row + j)), mask), d, u + at);
      at += hn::CountTrue(d, mask);
    }
    for (; at < end; ++at) u[at] = 0;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace mirrorball::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mirrorball::kernels {

HWY_EXPORT(MergeForward);
HWY_EXPORT(MergeBackward);
HWY_EXPORT(MergeActive);

void merge(Merge kind, const MergeShape& shape, const float* psi, const float* noise, float* u) {
  MIRRORBALL_DISPATCH(MergeForward)(kind, shape, psi, noise, u);
}

void merge_backward(Merge kind, const MergeShape& shape, const float* du, const float* psi,
                    const float* noise, float* dpsi, float* dnoise) {
  MIRRORBALL_DISPATCH(MergeBackward)(kind, shape, du, psi, noise, dpsi, dnoise);
}

std::size_t merge_active(const MergeShape& shape, const float* psi, const float* noise, float* u,
                         std::uint32_t* units) {
  std::size_t active = 0;
  for (std::size_t j = 0; j < shape.width; ++j)
    if (psi[j] != 0) units[active++] = static_cast<std::uint32_t>(j);
  const std::size_t end = std::max(kActiveStep, (active + kActiveStep - 1) / kActiveStep * kActiveStep);
  MIRRORBALL_DISPATCH(MergeActive)(shape, psi, noise, u, end);
  return active;
}

}  // namespace mirrorball::kernels
#endif
