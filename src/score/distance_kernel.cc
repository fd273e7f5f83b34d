#include "score/distance_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "score/distance_kernel.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "kernels/level.h"

HWY_BEFORE_NAMESPACE();
namespace mirrorball::scoring {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Doubles = hn::ScalableTag<double>;

/// √Σ_k (p_k − q_jk)² for the next few j, one per lane. kDims 0: the number is only known at run time.
template <std::size_t kDims>
HWY_INLINE hn::Vec<Doubles> DistanceTo(const double* p, std::size_t p_stride, const double* q,
                                       std::size_t q_stride, std::size_t dims) {
  const Doubles d;
  auto sum = hn::Zero(d);
  for (std::size_t k = 0; k < (kDims ? kDims : dims); ++k) {
    const auto difference = hn::Sub(hn::LoadU(d, q + k * q_stride), hn::Set(d, p[k * p_stride]));
    sum = hn::MulAdd(difference, difference, sum);
  }
  return hn::Sqrt(sum);
}

/// Σ_j ‖p − q_j‖ over j < n, lane by lane; lanes past the end add 0.
template <std::size_t kDims>
HWY_INLINE hn::Vec<Doubles> DistanceSum(const double* p, std::size_t p_stride, const double* q,
                                        std::size_t q_stride, std::size_t n, std::size_t dims) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  auto sum = hn::Zero(d);
  std::size_t j = 0;
  for (; j + lanes <= n; j += lanes)
    sum = hn::Add(sum, DistanceTo<kDims>(p, p_stride, q + j, q_stride, dims));
  if (j == n) return sum;
  const auto last = DistanceTo<kDims>(p, p_stride, q + j, q_stride, dims);
  return hn::Add(sum, hn::IfThenElseZero(hn::FirstN(d, n - j), last));
}

template <std::size_t kDims>
double PairSum(const double* p, std::size_t stride, std::size_t n, std::size_t dims) {
  auto sum = hn::Zero(Doubles());
  for (std::size_t i = 0; i + 1 < n; ++i)
    sum = hn::Add(sum, DistanceSum<kDims>(p + i, stride, p + i + 1, stride, n - i - 1, dims));
  return hn::GetLane(hn::SumOfLanes(Doubles(), sum));
}

double PairDistanceSum(const double* p, std::size_t stride, std::size_t n, std::size_t dims) {
  static_assert(hn::MaxLanes(Doubles()) <= kDistancePad);
  if (dims == 2) return PairSum<2>(p, stride, n, dims);
  if (dims == 3) return PairSum<3>(p, stride, n, dims);
  return PairSum<0>(p, stride, n, dims);
}

double CrossDistanceSum(const double* p, std::size_t p_stride, std::size_t p_n, const double* q,
                        std::size_t q_stride, std::size_t q_n, std::size_t dims) {
  auto sum = hn::Zero(Doubles());
  for (std::size_t i = 0; i < p_n; ++i)
    sum = hn::Add(sum, DistanceSum<0>(p + i, p_stride, q, q_stride, q_n, dims));
  return hn::GetLane(hn::SumOfLanes(Doubles(), sum));
}

}  // namespace HWY_NAMESPACE
}  // namespace mirrorball::scoring
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mirrorball::scoring {

HWY_EXPORT(PairDistanceSum);
HWY_EXPORT(CrossDistanceSum);

double pair_distance_sum(const double* p, std::size_t stride, std::size_t n, std::size_t dims) {
  return MIRRORBALL_DISPATCH(PairDistanceSum)(p, stride, n, dims);
}

double cross_distance_sum(const double* p, std::size_t p_stride, std::size_t p_n, const double* q,
                          std::size_t q_stride, std::size_t q_n, std::size_t dims) {
  return MIRRORBALL_DISPATCH(CrossDistanceSum)(p, p_stride, p_n, q, q_stride, q_n, dims);
}

}  // namespace mirrorball::scoring
#endif
