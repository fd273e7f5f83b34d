#include "encode/plain_number.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "encode/moments.h"

namespace mirrorball::encode {
namespace {

constexpr double kQuartiles = 1.349;  ///< the range between the quartiles of N(0, 1)
constexpr double kReach = 3;          ///< in units of s: a normal column is hardly bent
constexpr double kLeastDeviation = 0.5;
constexpr double kNoSpread = 1e-6;  ///< of the range: quartiles this close together tell nothing

}  // namespace

bool PlainNumber::can_be_told_from(const NumberTransform& ranks) {
  return ranks.has_quantiles() && ranks.kind() != Transform::kEven &&
         ranks.knots().front() < ranks.knots().back();
}

PlainNumber::PlainNumber(const NumberTransform& ranks)
    : least_(ranks.knots().front()),
      greatest_(ranks.knots().back()),
      median_(ranks.training_quantile(0.5)),
      scale_((ranks.training_quantile(0.75) - ranks.training_quantile(0.25)) / kQuartiles) {
  std::vector<double> all = ranks.knots();
  if (!(scale_ > kNoSpread * (greatest_ - least_))) scale_ = moments(all).deviation;
  for (double& x : all) x = clipped(x);
  const Moments of_all = moments(all);
  mean_ = of_all.mean;
  deviation_ = std::max(of_all.deviation, kLeastDeviation);
}

double PlainNumber::clipped(double x) const {
  const double t = (std::clamp(x, least_, greatest_) - median_) / scale_;
  return t / std::hypot(1.0, t / kReach);
}

double PlainNumber::forward(double x) const { return (clipped(x) - mean_) / deviation_; }

}  // namespace mirrorball::encode
