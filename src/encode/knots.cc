#include "encode/knots.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/normal.h"
#include "base/order_statistics.h"

namespace mirrorball::encode {
namespace {

/// Fewer knots would be steps themselves.
constexpr std::size_t kFewestSmoothKnots = 256;
/// Values that lie so many widths away have no weight. The nearest one is never further than 3.
constexpr double kFarWidths = 5;
/// A determinant below this part of its terms is rounding.
constexpr double kFlat = 1e-12;

std::size_t knot_count(std::size_t wanted, int max_knots) {
  return std::max<std::size_t>(2, std::min(wanted, static_cast<std::size_t>(max_knots)));
}

/// The line through the points (z, y), weighted by their distance to `at`, where it passes `at`.
double local_line(const std::vector<double>& z, const std::vector<double>& y, double at, double width) {
  const auto begin = std::lower_bound(z.begin(), z.end(), at - kFarWidths * width);
  const auto end = std::upper_bound(begin, z.end(), at + kFarWidths * width);
  double weights = 0, first = 0, second = 0, values = 0, products = 0;
  for (auto one = begin; one != end; ++one) {
    const double apart = *one - at, weight = std::exp(-apart * apart / (2 * width * width)),
                 value = y[static_cast<std::size_t>(one - z.begin())];
    weights += weight;
    first += weight * apart;
    second += weight * apart * apart;
    values += weight * value;
    products += weight * apart * value;
  }
  const double determinant = weights * second - first * first;
  if (!(determinant > kFlat * weights * second)) return values / weights;
  return (second * values - first * products) / determinant;
}

}  // namespace

std::vector<double> quantile_knots(const std::vector<double>& sorted, int max_knots) {
  const std::size_t n = sorted.size(), count = knot_count(n, max_knots);
  std::vector<double> knots(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double at = static_cast<double>(i) * static_cast<double>(n - 1) / static_cast<double>(count - 1);
    const auto [below, above, weight] = place_at(at, n);
    knots[i] = sorted[below] + weight * (sorted[above] - sorted[below]);
  }
  return knots;
}

std::vector<double> smooth_knots(const std::vector<double>& sorted, int max_knots) {
  const std::size_t n = sorted.size(), count = knot_count(std::max(n, kFewestSmoothKnots), max_knots);
  const double width = std::pow(static_cast<double>(n), -0.2);
  std::vector<double> z(n), knots(count);
  for (std::size_t j = 0; j < n; ++j)
    z[j] = normal_quantile((static_cast<double>(j) + 0.5) / static_cast<double>(n));
  knots.front() = sorted.front();
  for (std::size_t k = 1; k + 1 < count; ++k) {
    const double at = normal_quantile(static_cast<double>(k) / static_cast<double>(count - 1));
    knots[k] = std::clamp(local_line(z, sorted, at, width), knots[k - 1], sorted.back());
  }
  knots.back() = sorted.back();
  return knots;
}

}  // namespace mirrorball::encode
