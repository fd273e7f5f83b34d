#include "calibrate/calibration.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/float_order.h"
#include "base/order_statistics.h"

namespace mirrorball::calibrate {
namespace {

/// Sorts the draws' indices by value. `outer_half` leaves the central half unsorted in its place.
void rank(std::span<const double> draws, std::vector<std::uint64_t>& order, bool outer_half) {
  order.resize(draws.size());
  for (std::size_t i = 0; i < draws.size(); ++i) order[i] = sort_key(static_cast<float>(draws[i]), i);
  if (outer_half) {
    const auto quarter = static_cast<std::ptrdiff_t>((order.size() + 3) / 4);
    std::nth_element(order.begin(), order.begin() + quarter, order.end());
    std::nth_element(order.begin() + quarter, order.end() - quarter, order.end());
    std::sort(order.begin(), order.begin() + quarter);
    std::sort(order.end() - quarter, order.end());
  } else {
    std::sort(order.begin(), order.end());
  }
  for (std::uint64_t& key : order) key = place_of(key);
}

double median_of(std::span<const double> draws, std::vector<double>& scratch) {
  scratch.assign(draws.begin(), draws.end());
  return median(scratch);
}

void stretch(double& value, double middle, double factor) { value = middle + factor * (value - middle); }

}  // namespace

PoolParts pool_parts(const Calibration& calibration, std::size_t samples) {
  const auto share = [samples](double weight) {
    return static_cast<std::size_t>(std::llround(weight * static_cast<double>(samples)));
  };
  const std::size_t forest = share(calibration.forest_weight),
                    process = std::min(share(calibration.process_weight), samples - forest),
                    neighbours = std::min(share(calibration.neighbour_weight), samples - forest - process);
  return {samples - forest - process - neighbours, forest, process, neighbours};
}

void move_towards(double boosted_mean, double boost_weight, std::span<double> draws) {
  if (boost_weight == 0 || draws.empty()) return;
  const double mean = std::accumulate(draws.begin(), draws.end(), 0.0) / static_cast<double>(draws.size());
  for (double& draw : draws) draw += boost_weight * (boosted_mean - mean);
}

void move_towards(double boosted_mean, double boost_weight, const PoolParts& parts, std::span<double> pool) {
  std::size_t begin = 0;
  for (const std::size_t count : {parts.networks, parts.forest, parts.process, parts.neighbours}) {
    move_towards(boosted_mean, boost_weight, pool.subspan(begin, count));
    begin += count;
  }
}

void apply(const Calibration& calibration, std::size_t networks, std::span<double> draws,
           CalibrationScratch& scratch) {
  const std::size_t count = draws.size();
  std::optional<double> middle;  // of the pool, as long as it is known
  if (calibration.spread != 1 && networks > 0) {
    middle = median_of(draws.first(networks), scratch.values);
    for (double& draw : draws.first(networks)) stretch(draw, *middle, calibration.spread);
    if (networks < count) middle.reset();
  }
  const auto widened =
      static_cast<std::size_t>(std::llround(calibration.tail_weight * static_cast<double>(count)));
  if (widened > 0) {
    rank(draws, scratch.order, false);
    if (!middle) middle = median_of(draws, scratch.values);
    for (std::size_t i = 0; i < widened; ++i)
      stretch(draws[scratch.order[(2 * i + 1) * count / (2 * widened)]], *middle, calibration.tail_spread);
    middle.reset();
  }
  if (calibration.interval == 1) return;
  rank(draws, scratch.order, true);
  if (!middle) middle = median_of(draws, scratch.values);
  for (std::size_t i = 0; i < count; ++i) {
    const double level = (static_cast<double>(i) + 0.5) / static_cast<double>(count);
    const double outside = std::clamp((std::abs(2 * level - 1) - 0.5) / 0.4, 0.0, 1.0);
    if (outside > 0) stretch(draws[scratch.order[i]], *middle, 1 + (calibration.interval - 1) * outside);
  }
}

}  // namespace mirrorball::calibrate
