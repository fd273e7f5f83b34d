#include "kernels/adam.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/adam.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "kernels/level.h"

#include <cmath>

#include "kernels/activation.h"

HWY_BEFORE_NAMESPACE();
namespace mirrorball::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr float kEpsilon = 1e-8f;

void AdamRange(const AdamStep& step, const AdamState& state, std::span<const float* const> shards,
               std::size_t begin, std::size_t end) {
  const hn::CappedTag<float, kPadding> d;
  const auto beta1 = hn::Set(d, step.beta1), rest1 = hn::Set(d, 1.0f - step.beta1);
  const auto beta2 = hn::Set(d, step.beta2), rest2 = hn::Set(d, 1.0f - step.beta2);
  const auto rate = hn::Set(d, step.rate / step.correction1);
  const auto root2 = hn::Set(d, 1.0f / std::sqrt(step.correction2)), epsilon = hn::Set(d, kEpsilon);
  const auto fresh = hn::Set(d, 1.0f - step.decay);
  for (std::size_t i = begin; i < end; i += hn::Lanes(d)) {
    auto g = hn::Load(d, shards[0] + i);
    for (std::size_t shard = 1; shard < shards.size(); ++shard)
      g = hn::Add(g, hn::Load(d, shards[shard] + i));
    const auto m = hn::MulAdd(beta1, hn::Load(d, state.mean + i), hn::Mul(rest1, g));
    const auto v = hn::MulAdd(beta2, hn::Load(d, state.square + i), hn::Mul(rest2, hn::Mul(g, g)));
    const auto size = hn::MulAdd(hn::Sqrt(v), root2, epsilon);
    const auto w = hn::Sub(hn::Load(d, state.weight + i), hn::Div(hn::Mul(rate, m), size));
    hn::Store(m, d, state.mean + i);
    hn::Store(v, d, state.square + i);
    hn::Store(w, d, state.weight + i);
    if (!state.average) continue;
    const auto average = hn::Load(d, state.average + i);
    hn::Store(hn::MulAdd(fresh, hn::Sub(w, average), average), d, state.average + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace mirrorball::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mirrorball::kernels {

HWY_EXPORT(AdamRange);

void adam(const AdamStep& step, const AdamState& state, std::span<const float* const> shards,
          std::size_t begin, std::size_t end) {
  MIRRORBALL_DISPATCH(AdamRange)(step, state, shards, begin, end);
}

}  // namespace mirrorball::kernels
#endif
