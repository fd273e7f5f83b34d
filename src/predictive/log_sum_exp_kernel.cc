#include "predictive/log_sum_exp_kernel.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "predictive/log_sum_exp_kernel.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "kernels/level.h"
// After highway.h.
#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace mirrorball::predictive {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// With m = min_i q_i the largest term is 1 and nothing overflows or vanishes:
//   log Σ_i exp(−q_i/2) = −m/2 + log Σ_i exp((m − q_i)/2)
// The pad past the end is so large that its terms are exactly 0.
double LogSumExp(const double* q, std::size_t n) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  static_assert(hn::MaxLanes(hn::ScalableTag<double>()) <= kLogSumExpPad);
  auto low = hn::LoadU(d, q);
  for (std::size_t i = lanes; i < n; i += lanes) low = hn::Min(low, hn::LoadU(d, q + i));
  const double least = hn::GetLane(hn::MinOfLanes(d, low));
  const auto m = hn::Set(d, least), half = hn::Set(d, 0.5);
  auto sum = hn::Zero(d);
  for (std::size_t i = 0; i < n; i += lanes)
    sum = hn::Add(sum, hn::Exp(d, hn::Mul(half, hn::Sub(m, hn::LoadU(d, q + i)))));
  return -0.5 * least + std::log(hn::GetLane(hn::SumOfLanes(d, sum)));
}

}  // namespace HWY_NAMESPACE
}  // namespace mirrorball::predictive
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mirrorball::predictive {

HWY_EXPORT(LogSumExp);

double log_sum_exp(const double* q, std::size_t n) { return MIRRORBALL_DISPATCH(LogSumExp)(q, n); }

}  // namespace mirrorball::predictive
#endif
