#include "calibrate/held_out.h"

#include "base/order_statistics.h"

namespace mirrorball::calibrate {

std::vector<double> pooled(const HeldOut& rows, std::size_t row, std::size_t samples,
                           const Calibration& calibration, CalibrationScratch& scratch) {
  const PoolParts parts = pool_parts(calibration, samples);
  std::vector<double> draws;
  draws.reserve(samples);
  const auto thin = [&](std::span<const float> from, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) draws.push_back(from[(2 * i + 1) * from.size() / (2 * count)]);
  };
  thin(rows.network.of(row), parts.networks);
  if (!rows.widening.empty() && parts.networks > 0) {
    const double middle = sorted_median(draws);
    for (double& draw : draws) draw = middle + rows.widening[row] * (draw - middle);
  }
  thin(rows.forest.of(row), parts.forest);
  thin(rows.process.of(row), parts.process);
  thin(rows.neighbours.of(row), parts.neighbours);
  if (!rows.boosted.empty()) move_towards(rows.boosted[row], calibration.boost_weight, parts, draws);
  apply(calibration, parts.networks, draws, scratch);
  for (double& draw : draws) draw = rows.transform.inverse(draw);
  std::sort(draws.begin(), draws.end());
  return draws;
}

}  // namespace mirrorball::calibrate
