#include "predictive/order.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace mirrorball {

std::vector<double> finite_copy(std::span<const double> draws) {
  std::vector<double> values(draws.begin(), draws.end());
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      bad_input("draw {} of {} is {}, not a finite number", i, values.size(), values[i]);
  return values;
}

Position quantile_position(double level, std::size_t count) {
  if (!(level >= 0 && level <= 1)) bad_input("level {} is outside 0..1", level);
  const double place = level * static_cast<double>(count - 1);
  const std::size_t below = std::min(static_cast<std::size_t>(place), count - 1);
  return {below, place - static_cast<double>(below)};
}

double interpolate(double a, double b, double weight) {
  return weight < 0.5 ? a + (b - a) * weight : b - (b - a) * (1 - weight);
}

double sorted_quantile(std::span<const double> sorted, double level) {
  const auto [below, weight] = quantile_position(level, sorted.size());
  return interpolate(sorted[below], sorted[std::min(below + 1, sorted.size() - 1)], weight);
}

}  // namespace mirrorball
