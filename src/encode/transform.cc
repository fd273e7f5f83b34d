#include "encode/transform.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.h"
#include "base/normal.h"
#include "encode/knots.h"
#include "encode/moments.h"
#include "plan/rules.h"

namespace mirrorball::encode {
namespace {

constexpr double kEdge = 1e-7;
constexpr double kEvenWidth = 3.4641016151377544;  ///< sqrt(12), of a uniform law of deviation 1
constexpr double kFarLevel = 0.001;
constexpr double kSingleDigits = 7.2;  ///< 24 bits
constexpr double kNarrow = 1.0 / 8;    ///< a spread below this share of the size costs 3 of 24 bits and more
constexpr double kDeviations = 6;      ///< that a column spreads over, where no more is known
constexpr double kTiny = 0x1p-100;     ///< single precision has all its digits above 2^-126 only
constexpr int kExact = 15;             ///< decimal digits of a double

/// How far a number may lie from its knots: those of earlier releases have 24 bits of a column's magnitude
/// or, where that is much less, of its spread. It must still meet them, or a value that half of the rows
/// share would land at the edge of its run instead of its middle.
double rounding_slack(double x, const std::vector<double>& knots) {
  return 0x1p-22 * std::min(std::fabs(x), 8.0 * (knots.back() - knots.front()));
}

std::vector<double> mean_and_sd(const std::vector<double>& values) {
  const Moments found = moments(values);
  return {found.mean, found.deviation};
}

double place_in_range(double x, double least, double greatest) {
  return std::clamp((x - least) / (greatest - least), 0.0, 1.0);
}

/// The largest distance between a value's place in the range and its rank, both as shares.
double unevenness(const std::vector<double>& sorted) {
  const double n = static_cast<double>(sorted.size());
  double most = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double rank = (static_cast<double>(i) + 0.5) / n;
    most = std::max(most, std::fabs(place_in_range(sorted[i], sorted.front(), sorted.back()) - rank));
  }
  return most;
}

NumberTransform fit_sorted(Transform kind, const std::vector<double>& values, int max_knots) {
  if (values.front() == values.back()) return {Transform::kStandard, {values.front(), 0.0}};
  if (kind == Transform::kAuto) kind = plan::number_transform(kind, unevenness(values));
  if (!keeps_quantiles(kind)) return {kind, mean_and_sd(values)};
  return {kind,
          kind == Transform::kSmooth ? smooth_knots(values, max_knots) : quantile_knots(values, max_knots)};
}

/// How far the values reach, and how far from 0.
struct Extent {
  double spread, size;
};

Extent extent_of(Transform kind, const std::vector<double>& knots) {
  if (!keeps_quantiles(kind)) return {knots[1], std::fabs(knots[0])};
  return {knots.back() - knots.front(), std::max(std::fabs(knots.front()), std::fabs(knots.back()))};
}

}  // namespace

NumberTransform::NumberTransform(Transform kind, std::vector<double> knots)
    : kind_(kind), knots_(std::move(knots)) {
  const Extent extent = extent_of(kind_, knots_);
  single_ =
      (has_quantiles() ? 1 : kDeviations) * extent.spread > kNarrow * extent.size && extent.size > kTiny;
}

NumberTransform NumberTransform::fit(Transform kind, std::vector<double>& values, int max_knots) {
  std::sort(values.begin(), values.end());
  const NumberTransform exact = fit_sorted(kind, values, max_knots);
  if (!exact.single_) return exact;
  for (double& value : values) value = exact.kept(value);
  return fit_sorted(kind, values, max_knots);
}

double NumberTransform::forward(double x) const {
  if (kind_ == Transform::kNone) return x;
  if (kind_ == Transform::kStandard) return knots_[1] > 0 ? (x - knots_[0]) / knots_[1] : 0.0;
  if (kind_ == Transform::kEven) return kEvenWidth * (place_in_range(x, knots_.front(), knots_.back()) - 0.5);
  const double steps = static_cast<double>(knots_.size() - 1), slack = rounding_slack(x, knots_);
  const auto place = [&](auto knot) { return static_cast<double>(knot - knots_.begin()); };
  auto low = std::lower_bound(knots_.begin(), knots_.end(), x - slack);
  const auto high = std::upper_bound(low, knots_.end(), x + slack);
  double u;
  if (high - low > 1 && *low == high[-1]) {
    u = 0.5 * (place(low) + place(high - 1)) / steps;
  } else if (low = std::lower_bound(low, knots_.end(), x); low == knots_.end()) {
    u = 1.0;
  } else if (low == knots_.begin()) {
    u = 0.0;
  } else {
    u = (place(low) - 1.0 + (x - low[-1]) / (*low - low[-1])) / steps;
  }
  if (kind_ == Transform::kRankit) return normal_quantile((u * steps + 0.5) / (steps + 1.0));
  return normal_quantile(std::clamp(u, kEdge, 1.0 - kEdge));
}

double NumberTransform::inverse(double z) const {
  if (kind_ == Transform::kNone) return z;
  if (kind_ == Transform::kStandard || std::isnan(z)) return knots_[0] + knots_[1] * z;
  if (kind_ == Transform::kEven)
    return std::lerp(knots_.front(), knots_.back(), std::clamp(z / kEvenWidth + 0.5, 0.0, 1.0));
  const double steps = static_cast<double>(knots_.size() - 1), p = fast_normal_cdf(z);
  const double at = kind_ == Transform::kRankit ? std::clamp(p * (steps + 1.0) - 0.5, 0.0, steps) : p * steps;
  const std::size_t low = std::min(static_cast<std::size_t>(at), knots_.size() - 2);
  return knots_[low] + (at - static_cast<double>(low)) * (knots_[low + 1] - knots_[low]);
}

double training_quantile(Transform kind, std::span<const double> knots, double probability) {
  if (!keeps_quantiles(kind))
    return knots[0] + knots[1] * normal_quantile(std::clamp(probability, kFarLevel, 1 - kFarLevel));
  const double at = std::clamp(probability, 0.0, 1.0) * static_cast<double>(knots.size() - 1);
  const std::size_t low = std::min(static_cast<std::size_t>(at), knots.size() - 2);
  return std::lerp(knots[low], knots[low + 1], at - static_cast<double>(low));
}

void check_untransformed(Transform kind, const std::vector<double>& sorted, std::string_view what,
                         std::string_view option) {
  if (kind != Transform::kNone) return;
  const double farthest =
      std::fabs(sorted.front()) > std::fabs(sorted.back()) ? sorted.front() : sorted.back();
  if (std::fabs(farthest) > kMostUntransformed)
    bad_input("{} has the value {:g}, but with {} none values can be at most {:g}: use {} standard", what,
              farthest, option, kMostUntransformed, option);
}

int NumberTransform::digits() const {
  const auto [spread, size] = extent_of(kind_, knots_);
  if (!(spread > 0)) return kExact;
  if (size <= spread) return 7;
  return std::min(kExact, static_cast<int>(std::floor(kSingleDigits + std::log10(size / spread))));
}

double rounded_to(int digits, double value) {
  if (digits >= kExact) return value;
  char text[64];
  const auto written = std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits);
  double result = value;
  std::from_chars(text, written.ptr, result);
  return result;
}

NumberTransform NumberTransform::with_rounded_knots() const {
  NumberTransform result = *this;
  if (has_quantiles())
    for (double& knot : result.knots_) knot = rounded_to(digits(), knot);
  return result;
}

}  // namespace mirrorball::encode
