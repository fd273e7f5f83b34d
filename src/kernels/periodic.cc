#include "kernels/periodic.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/periodic.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "kernels/level.h"

#include <numbers>

#include "kernels/activation.h"
#include "kernels/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mirrorball::kernels {
namespace HWY_NAMESPACE {

using Floats = hn::CappedTag<float, kPadding>;
using Vec = hn::Vec<Floats>;

/// cos(2 pi t).
HWY_INLINE Vec CosTurns(Floats d, Vec t) {
  return CosPi(d, hn::Mul(hn::Set(d, 2.0f), hn::Sub(t, hn::Round(t))));
}

/// What is written beyond the last wave is overwritten by the next ones; so the cosines go first.
void PeriodicForward(const PeriodicShape& shape, const float* x, const float* f, const float* a, float* w) {
  const Floats d;
  const std::size_t step = hn::Lanes(d), stride = padded(shape.count);
  const Vec quarter = hn::Set(d, 0.25f);
  for (std::size_t s = 0; s < shape.rows; ++s)
    for (std::size_t j = 0; j < shape.features; ++j, w += 2 * shape.count) {
      const Vec value = hn::Set(d, x[s * shape.x_stride + j]);
      for (std::size_t k = 0; k < shape.count; k += step) {
        const Vec turns = hn::Mul(value, hn::Load(d, f + j * stride + k));
        hn::StoreU(hn::Mul(hn::Load(d, a + k), CosTurns(d, turns)), d, w + k);
      }
      for (std::size_t k = 0; k < shape.count; k += step) {
        const Vec turns = hn::MulSub(value, hn::Load(d, f + j * stride + k), quarter);
        hn::StoreU(hn::Mul(hn::Load(d, a + k), CosTurns(d, turns)), d, w + shape.count + k);
      }
    }
}

void PeriodicBackward(const PeriodicShape& shape, const float* x, const float* w, const float* dw,
                      float* df) {
  const Floats d;
  const std::size_t step = hn::Lanes(d), stride = padded(shape.count), row = 2 * shape.count * shape.features;
  for (std::size_t j = 0; j < shape.features; ++j)
    for (std::size_t k = 0; k < shape.count; k += step) {
      Vec sum = hn::Zero(d);
      for (std::size_t s = 0; s < shape.rows; ++s) {
        const std::size_t cosine = s * row + 2 * shape.count * j + k, sine = cosine + shape.count;
        const Vec slope = hn::NegMulAdd(hn::LoadU(d, dw + cosine), hn::LoadU(d, w + sine),
                                        hn::Mul(hn::LoadU(d, dw + sine), hn::LoadU(d, w + cosine)));
        sum = hn::MulAdd(hn::Set(d, x[s * shape.x_stride + j]), slope, sum);
      }
      // Padding has no gradient.
      sum = hn::IfThenElseZero(hn::FirstN(d, shape.count - k), sum);
      float* to = df + j * stride + k;
      hn::Store(hn::MulAdd(sum, hn::Set(d, 2 * std::numbers::pi_v<float>), hn::Load(d, to)), d, to);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace mirrorball::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mirrorball::kernels {

HWY_EXPORT(PeriodicForward);
HWY_EXPORT(PeriodicBackward);

void periodic(const PeriodicShape& shape, const float* x, const float* f, const float* a, float* w) {
  MIRRORBALL_DISPATCH(PeriodicForward)(shape, x, f, a, w);
}

void periodic_backward(const PeriodicShape& shape, const float* x, const float* w, const float* dw,
                       float* df) {
  MIRRORBALL_DISPATCH(PeriodicBackward)(shape, x, w, dw, df);
}

}  // namespace mirrorball::kernels
#endif
