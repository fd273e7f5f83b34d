#include "kernels/head.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/head.cc"
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

void HeadForward(const HeadShape& shape, const float* h, const float* weight, const float* bias, float* y) {
  const Floats d;
  const std::size_t step = hn::Lanes(d);
  for (std::size_t t = 0; t < shape.targets; ++t) {
    const float* w = weight + t * shape.width;
    for (std::size_t r = 0; r < shape.rows; ++r) {
      const float* row = h + r * shape.width;
      Vec even = hn::Zero(d), odd = hn::Zero(d);
      std::size_t j = 0;
      for (; j + 2 * step <= shape.width; j += 2 * step) {
        even = hn::MulAdd(hn::Load(d, row + j), hn::Load(d, w + j), even);
        odd = hn::MulAdd(hn::Load(d, row + j + step), hn::Load(d, w + j + step), odd);
      }
      for (; j < shape.width; j += step) even = hn::MulAdd(hn::Load(d, row + j), hn::Load(d, w + j), even);
      y[t * shape.rows + r] = hn::GetLane(hn::SumOfLanes(d, hn::Add(even, odd))) + bias[t];
    }
  }
}

void HeadBackward(const HeadShape& shape, const float* dy, const float* h, const float* weight, float* dh,
                  float* dweight, float* dbias) {
  const Floats d;
  const std::size_t step = hn::Lanes(d), width = shape.width;
  for (std::size_t t = 0; t < shape.targets; ++t) {
    const float* g = dy + t * shape.rows;
    for (std::size_t j = 0; j < width; j += step) {
      const Vec w = hn::Load(d, weight + t * width + j);
      Vec sum = hn::Load(d, dweight + t * width + j);
      for (std::size_t r = 0; r < shape.rows; ++r) {
        const Vec slope = hn::Set(d, g[r]);
        sum = hn::MulAdd(slope, hn::Load(d, h + r * width + j), sum);
        const Vec before = t == 0 ? hn::Zero(d) : hn::Load(d, dh + r * width + j);
        hn::Store(hn::MulAdd(slope, w, before), d, dh + r * width + j);
      }
      hn::Store(sum, d, dweight + t * width + j);
    }
    float sum = 0;
    for (std::size_t r = 0; r < shape.rows; ++r) sum += g[r];
    dbias[t] += sum;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace mirrorball::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mirrorball::kernels {

HWY_EXPORT(HeadForward);
HWY_EXPORT(HeadBackward);

void head(const HeadShape& shape, const float* h, const float* weight, const float* bias, float* y) {
  MIRRORBALL_DISPATCH(HeadForward)(shape, h, weight, bias, y);
}

void head_backward(const HeadShape& shape, const float* dy, const float* h, const float* weight, float* dh,
                   float* dweight, float* dbias) {
  MIRRORBALL_DISPATCH(HeadBackward)(shape, dy, h, weight, dh, dweight, dbias);
}

}  // namespace mirrorball::kernels
#endif
