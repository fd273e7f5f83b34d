#include "calibrate/calibration.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mirrorball {
namespace {

/// Indices of `draws` in ascending order of value.
void rank(std::span<const double> draws, CalibrationScratch& order) {
  order.resize(draws.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return draws[a] < draws[b]; });
}

double median(std::span<const double> draws, const CalibrationScratch& order) {
  const std::size_t half = order.size() / 2;
  return order.size() % 2 == 1 ? draws[order[half]] : 0.5 * (draws[order[half - 1]] + draws[order[half]]);
}

void stretch(double& value, double middle, double factor) { value = middle + factor * (value - middle); }

}  // namespace

std::size_t Calibration::forest_draws(std::size_t samples) const {
  return static_cast<std::size_t>(std::llround(share * static_cast<double>(samples)));
}

void apply(const Calibration& calibration, std::size_t networks, std::span<double> draws,
           CalibrationScratch& order) {
  const std::size_t count = draws.size();
  if (calibration.factor != 1 && networks > 0) {
    rank(draws.first(networks), order);
    const double middle = median(draws, order);
    for (double& draw : draws.first(networks)) stretch(draw, middle, calibration.factor);
  }
  const auto widened =
      static_cast<std::size_t>(std::llround(calibration.tail_share * static_cast<double>(count)));
  if (widened > 0) {
    rank(draws, order);
    const double middle = median(draws, order);
    for (std::size_t i = 0; i < widened; ++i)
      stretch(draws[order[(2 * i + 1) * count / (2 * widened)]], middle, calibration.tail_factor);
  }
  if (calibration.level_factor == 1) return;
  rank(draws, order);
  const double middle = median(draws, order);
  for (std::size_t i = 0; i < count; ++i) {
    const double level = (static_cast<double>(i) + 0.5) / static_cast<double>(count);
    const double outside = std::clamp((std::abs(2 * level - 1) - 0.5) / 0.4, 0.0, 1.0);
    stretch(draws[order[i]], middle, 1 + (calibration.level_factor - 1) * outside);
  }
}

}  // namespace mirrorball
