#include "encode/plain_number.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "encode/moments.h"

namespace mirrorball {
namespace {

constexpr double kQuartiles = 1.349;  ///< the range between the quartiles of N(0, 1)
constexpr double kReach = 3;
constexpr double kNoSpread = 1e-6;  ///< of the range: quartiles this close together tell nothing

double quantile(std::span<const double> knots, double level) {
  const double at = level * static_cast<double>(knots.size() - 1);
  const std::size_t low = std::min(static_cast<std::size_t>(at), knots.size() - 2);
  return std::lerp(knots[low], knots[low + 1], at - static_cast<double>(low));
}

}  // namespace

PlainNumber::PlainNumber(std::span<const double> knots)
    : least_(knots.front()),
      greatest_(knots.back()),
      median_(quantile(knots, 0.5)),
      scale_((quantile(knots, 0.75) - quantile(knots, 0.25)) / kQuartiles) {
  if (!(scale_ > kNoSpread * (greatest_ - least_))) scale_ = moments(knots).deviation;
  std::vector<double> all(knots.begin(), knots.end());
  for (double& x : all) x = clipped(x);
  const Moments of_all = moments(all);
  mean_ = of_all.mean;
  deviation_ = of_all.deviation;
}

double PlainNumber::clipped(double x) const {
  const double t = (std::clamp(x, least_, greatest_) - median_) / scale_;
  return t / std::hypot(1.0, t / kReach);
}

double PlainNumber::forward(double x) const { return (clipped(x) - mean_) / deviation_; }

}  // namespace mirrorball
