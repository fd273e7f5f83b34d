#include "base/order_statistics.h"

#include <algorithm>

#include "base/error.h"

namespace mirrorball {

Place place_at(double at, std::size_t count) {
  const std::size_t below = std::min(static_cast<std::size_t>(at), count - 1);
  return {below, std::min(below + 1, count - 1), at - static_cast<double>(below)};
}

Place quantile_place(double level, std::size_t count) {
  if (!(level >= 0 && level <= 1)) bad_input("level {} is out of range: use 0 to 1", level);
  return place_at(level * static_cast<double>(count - 1), count);
}

double interpolate(double a, double b, double weight) {
  return weight < 0.5 ? a + (b - a) * weight : b - (b - a) * (1 - weight);
}

double sorted_quantile(std::span<const double> sorted, double level) {
  const auto [below, above, weight] = quantile_place(level, sorted.size());
  return interpolate(sorted[below], sorted[above], weight);
}

double sorted_median(std::span<const double> sorted) {
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : 0.5 * (sorted[half - 1] + sorted[half]);
}

double median(std::span<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return values.size() % 2 == 1 ? *middle : 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

std::vector<double> sorted_copy(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

double sorted_mean_difference(std::span<const double> sorted) {
  const double n = static_cast<double>(sorted.size());
  double sum = 0;
  for (std::size_t k = 0; k < sorted.size(); ++k) sum += (2 * static_cast<double>(k) - n + 1) * sorted[k];
  return 2 * sum / (n * n);
}

}  // namespace mirrorball
