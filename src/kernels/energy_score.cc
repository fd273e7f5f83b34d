#include "kernels/energy_score.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/energy_score.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "kernels/level.h"

#include <algorithm>
#include <cmath>

#include "base/float_order.h"
#include "kernels/activation.h"
#include "kernels/math-inl.h"

#ifndef MIRRORBALL_ENERGY_SCORE_ONCE
#define MIRRORBALL_ENERGY_SCORE_ONCE
namespace mirrorball::kernels {
// Squared distances below this count as coincidence; far under anything that float draws of order 1 resolve.
constexpr float kCoincide = 1e-20f;
}  // namespace mirrorball::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace mirrorball::kernels {
namespace HWY_NAMESPACE {

using Floats = hn::CappedTag<float, kPadding>;
using Vec = hn::Vec<Floats>;

/// distance^alpha and, in *slope, alpha * distance^(alpha - 2), both 0 for coinciding points.
HWY_INLINE Vec PowerOfDistance(Floats d, Vec square, float alpha, Vec* slope) {
  const auto apart = hn::Gt(square, hn::Set(d, kCoincide));
  const Vec safe = hn::IfThenElse(apart, square, hn::Set(d, 1.0f));
  const Vec power =
      alpha == 1.0f ? hn::Sqrt(safe) : hn::Exp(d, hn::Mul(hn::Set(d, 0.5f * alpha), hn::Log(d, safe)));
  *slope = hn::IfThenElseZero(apart, hn::Div(hn::Mul(hn::Set(d, alpha), power), safe));
  return hn::IfThenElseZero(apart, power);
}

/// |y - s_i|^alpha summed over the draws; sets gradient to factor * its gradient in each draw.
float TowardsTruth(const EnergyScore& score, const float* y, const float* draws, std::size_t stride,
                   float factor, float* gradient) {
  const Floats d;
  const std::size_t step = hn::Lanes(d);
  Vec total = hn::Zero(d);
  for (std::size_t i = 0; i < score.draws; i += step) {
    const auto valid = hn::FirstN(d, score.draws - i);
    Vec square = hn::Zero(d), slope;
    for (std::size_t t = 0; t < score.targets; ++t) {
      const Vec gap = hn::Sub(hn::LoadU(d, draws + t * stride + i), hn::Set(d, y[t]));
      square = hn::MulAdd(gap, gap, square);
    }
    total = hn::Add(total, PowerOfDistance(d, hn::IfThenElseZero(valid, square), score.alpha, &slope));
    if (!gradient) continue;
    slope = hn::Mul(slope, hn::Set(d, factor));
    for (std::size_t t = 0; t < score.targets; ++t) {
      const Vec gap = hn::Sub(hn::LoadU(d, draws + t * stride + i), hn::Set(d, y[t]));
      hn::BlendedStore(hn::Mul(slope, gap), valid, d, gradient + t * stride + i);
    }
  }
  return hn::GetLane(hn::SumOfLanes(d, total));
}

/// sum_j |s_i - s_j|^alpha for one draw i; adds factor * its gradient in s_i to the gradient of draw i.
float AmongDraws(const EnergyScore& score, std::size_t i, const float* draws, std::size_t stride,
                 float factor, float* gradient) {
  const Floats d;
  const std::size_t step = hn::Lanes(d);
  Vec total = hn::Zero(d);
  for (std::size_t j = 0; j < score.draws; j += step) {
    const auto valid = hn::FirstN(d, score.draws - j);
    Vec square = hn::Zero(d), slope;
    for (std::size_t t = 0; t < score.targets; ++t) {
      const Vec gap = hn::Sub(hn::Set(d, draws[t * stride + i]), hn::LoadU(d, draws + t * stride + j));
      square = hn::MulAdd(gap, gap, square);
    }
    total = hn::Add(total, PowerOfDistance(d, hn::IfThenElseZero(valid, square), score.alpha, &slope));
    if (!gradient) continue;
    for (std::size_t t = 0; t < score.targets; ++t) {
      const Vec gap = hn::Sub(hn::Set(d, draws[t * stride + i]), hn::LoadU(d, draws + t * stride + j));
      const Vec part = hn::Mul(slope, hn::IfThenElseZero(valid, gap));
      gradient[t * stride + i] += factor * hn::GetLane(hn::SumOfLanes(d, part));
    }
  }
  return hn::GetLane(hn::SumOfLanes(d, total));
}

float PairwiseScore(const EnergyScore& score, const float* y, const float* draws, std::size_t stride,
                    float scale, float* gradient) {
  const float share = 1.0f / static_cast<float>(score.draws);
  const float to_truth = TowardsTruth(score, y, draws, stride, scale * share, gradient);
  float among = 0;
  for (std::size_t i = 0; i < score.draws; ++i)
    among += AmongDraws(score, i, draws, stride, -2.0f * score.pair_weight * scale, gradient);
  return to_truth * share - score.pair_weight * among;
}

}  // namespace HWY_NAMESPACE
}  // namespace mirrorball::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mirrorball::kernels {

HWY_EXPORT(PairwiseScore);

namespace {

float sign(float x) { return static_cast<float>((x > 0) - (x < 0)); }

float sorted_score(const EnergyScore& score, float y, const float* draws, float scale, float* gradient,
                   std::vector<std::uint64_t>& keys) {
  const std::size_t n = score.draws;
  keys.resize(n);
  for (std::size_t i = 0; i < n; ++i)
    keys[i] = sort_key(draws[i] + 0.0f, i);  // -0 becomes 0, so that they tie
  std::sort(keys.begin(), keys.end());
  const float share = 1.0f / static_cast<float>(n), pair = 2.0f * score.pair_weight;
  float to_truth = 0, among = 0;
  for (std::size_t first = 0, end; first < n; first = end) {
    for (end = first + 1; end < n && keys[end] >> 32 == keys[first] >> 32;) ++end;
    // Ranks first … end-1 share one value: 2k - n + 1 at their middle.
    const float rank = static_cast<float>(first + end) - static_cast<float>(n);
    for (std::size_t k = first; k < end; ++k) {
      const std::size_t i = place_of(keys[k]);
      const float gap = draws[i] - y;
      to_truth += std::fabs(gap);
      among += rank * draws[i];
      if (gradient) gradient[i] = scale * (share * sign(gap) - pair * rank);
    }
  }
  return share * to_truth - pair * among;
}

}  // namespace

EnergyScore EnergyScore::make(std::size_t draws, std::size_t targets, double alpha, bool fair) {
  const double n = static_cast<double>(draws);
  const double weight = draws == 1 ? 0.0 : fair ? 0.5 / (n * (n - 1)) : 0.5 / (n * n);
  return {draws, targets, static_cast<float>(alpha), static_cast<float>(weight), false};
}

float EnergyScore::operator()(const float* y, const float* samples, std::size_t stride, float scale,
                              float* gradient, std::vector<std::uint64_t>& scratch) const {
  if (targets == 1 && alpha == 1.0f) return sorted_score(*this, *y, samples, scale, gradient, scratch);
  return MIRRORBALL_DISPATCH(PairwiseScore)(*this, y, samples, stride, scale, gradient);
}

void repel_within_strata(const EnergyScore& score, const float* draws, std::size_t stride,
                         const float* points, const std::uint32_t* index, float scale, float* gradient) {
  const std::size_t n = score.draws;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t before = i == 0 ? 0 : i - 1, after = std::min(i + 1, n - 1);
    float square = 0;
    for (std::size_t t = 0; t < score.targets; ++t) {
      const float way = draws[t * stride + after] - draws[t * stride + before];
      square += way * way;
    }
    if (square <= kCoincide) continue;
    const float place = 2.0f * (static_cast<float>(n) * points[index[i]] - static_cast<float>(i)) - 1.0f;
    const float push = 2.0f * score.pair_weight * scale * place / std::sqrt(square);
    for (std::size_t t = 0; t < score.targets; ++t)
      gradient[t * stride + i] -= push * (draws[t * stride + after] - draws[t * stride + before]);
  }
}

float squared_error(const float* y, const float* draw, std::size_t targets, std::size_t stride, float scale,
                    float* gradient) {
  float sum = 0;
  for (std::size_t t = 0; t < targets; ++t) {
    const float gap = draw[t * stride] - y[t];
    sum += gap * gap;
    if (gradient) gradient[t * stride] = 2.0f * scale * gap;
  }
  return sum;
}

}  // namespace mirrorball::kernels
#endif
