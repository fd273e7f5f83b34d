#include "calibrate/calibration.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

namespace mirrorball {
namespace {

/// Sorts the draws' indices by value. A key is the value's bits, turned so that they order as the floats do,
/// above the index: sorting plain numbers is twice as fast as looking values up, and ties keep their order.
/// `outer_half` leaves the central half unsorted in its place.
void rank(std::span<const double> draws, std::vector<std::uint64_t>& order, bool outer_half) {
  order.resize(draws.size());
  for (std::size_t i = 0; i < draws.size(); ++i) {
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(draws[i]));
    const std::uint32_t turned = bits >> 31 ? ~bits : bits | 0x80000000u;
    order[i] = std::uint64_t{turned} << 32 | i;
  }
  if (outer_half) {
    const auto quarter = static_cast<std::ptrdiff_t>((order.size() + 3) / 4);
    std::nth_element(order.begin(), order.begin() + quarter, order.end());
    std::nth_element(order.begin() + quarter, order.end() - quarter, order.end());
    std::sort(order.begin(), order.begin() + quarter);
    std::sort(order.end() - quarter, order.end());
  } else {
    std::sort(order.begin(), order.end());
  }
  for (std::uint64_t& key : order) key &= 0xffffffffu;
}

double median(std::span<const double> draws, std::vector<double>& values) {
  values.assign(draws.begin(), draws.end());
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return values.size() % 2 == 1 ? *middle : 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

void stretch(double& value, double middle, double factor) { value = middle + factor * (value - middle); }

}  // namespace

std::size_t forest_draws(const Calibration& calibration, std::size_t samples) {
  return static_cast<std::size_t>(std::llround(calibration.forest_weight * static_cast<double>(samples)));
}

void apply(const Calibration& calibration, std::size_t networks, std::span<double> draws,
           CalibrationScratch& scratch) {
  const std::size_t count = draws.size();
  std::optional<double> middle;  // of the pool, as long as it is known
  if (calibration.spread != 1 && networks > 0) {
    middle = median(draws.first(networks), scratch.values);
    for (double& draw : draws.first(networks)) stretch(draw, *middle, calibration.spread);
    if (networks < count) middle.reset();
  }
  const auto widened =
      static_cast<std::size_t>(std::llround(calibration.tail_weight * static_cast<double>(count)));
  if (widened > 0) {
    rank(draws, scratch.order, false);
    if (!middle) middle = median(draws, scratch.values);
    for (std::size_t i = 0; i < widened; ++i)
      stretch(draws[scratch.order[(2 * i + 1) * count / (2 * widened)]], *middle, calibration.tail_spread);
    middle.reset();
  }
  if (calibration.interval == 1) return;
  rank(draws, scratch.order, true);
  if (!middle) middle = median(draws, scratch.values);
  for (std::size_t i = 0; i < count; ++i) {
    const double level = (static_cast<double>(i) + 0.5) / static_cast<double>(count);
    const double outside = std::clamp((std::abs(2 * level - 1) - 0.5) / 0.4, 0.0, 1.0);
    if (outside > 0) stretch(draws[scratch.order[i]], *middle, 1 + (calibration.interval - 1) * outside);
  }
}

}  // namespace mirrorball
