#include "model/calibrate.h"

#include <algorithm>

#include "calibrate/fit_calibration.h"
#include "model/pool_draws.h"

namespace mirrorball {
namespace {

/// More rows do not change the choices, and their draws take memory.
constexpr std::size_t kMostRows = 4000;
/// With fewer rows, what they say is more noise than correction.
constexpr std::size_t kFewestRows = 30;
constexpr std::size_t kNetworkDraws = 400, kForestDraws = 100;

/// Evenly spread over `rows`.
std::vector<std::uint32_t> thinned(const std::vector<std::uint32_t>& rows) {
  if (rows.size() <= kMostRows) return rows;
  std::vector<std::uint32_t> some(kMostRows);
  for (std::size_t i = 0; i < kMostRows; ++i) some[i] = rows[i * rows.size() / kMostRows];
  return some;
}

/// Forecasts of the rows `which`, one entry per target. Rows without a tree that has not seen them keep the
/// networks' draws in the forest's place.
std::vector<HeldOut> forecasts(const TrainingRows& rows, std::span<const std::uint32_t> which,
                               const GrownForest* forest, ThreadPool& pool, const Model::Parts& parts) {
  const std::size_t targets = parts.targets.size();
  const std::vector<float> all =
      network_draws(parts, rows.inputs, which, kNetworkDraws, parts.options.seed, pool);
  std::vector<HeldOut> result(targets);
  for (std::size_t t = 0; t < targets; ++t) {
    HeldOut& one = result[t];
    one.rows = which.size();
    one.network_draws = kNetworkDraws;
    one.transform = parts.transforms[t];
    for (std::size_t i = 0; i < which.size(); ++i) {
      const float* first = all.data() + (i * targets + t) * kNetworkDraws;
      one.network.insert(one.network.end(), first, first + kNetworkDraws);
      std::sort(one.network.end() - kNetworkDraws, one.network.end());
      one.transformed_truth.push_back(static_cast<double>(rows.targets[which[i] * targets + t]));
      one.truth.push_back(rows.observed[which[i] * targets + t]);
      one.weight.push_back(static_cast<double>(rows.weights[which[i]]));
    }
  }
  if (!forest) return result;
  HeldOut& one = result[0];
  one.forest_draws = kForestDraws;
  one.forest.resize(which.size() * kForestDraws);
  std::vector<Forest::Scratch> scratch(pool.size());
  pool.run(which.size(), [&](std::size_t i, unsigned worker) {
    const std::span<float> out(one.forest.data() + i * kForestDraws, kForestDraws);
    if (forest->forest.quantiles_out_of_bag(rows.inputs, which[i], forest->in_bag, out, scratch[worker]))
      return;
    const std::span<const float> networks = one.network_of(i);
    for (std::size_t k = 0; k < kForestDraws; ++k)
      out[k] = networks[(2 * k + 1) * networks.size() / (2 * kForestDraws)];
  });
  return result;
}

}  // namespace

void calibrate(const TrainingRows& rows, const GrownForest* forest, ThreadPool& pool, Model::Parts& parts) {
  const Calibrate mode = parts.options.calibrate;
  const bool enough = rows.valid.size() >= kFewestRows, apart = mode == Calibrate::kConformal;
  if (mode == Calibrate::kNone || !parts.shape.noisy() || !(enough || apart)) return;
  const std::vector<HeldOut> chosen_on = forecasts(rows, thinned(rows.valid), forest, pool, parts);
  const std::vector<HeldOut> promised_on =
      apart ? forecasts(rows, thinned(rows.conformal), forest, pool, parts) : std::vector<HeldOut>();
  for (std::size_t t = 0; t < parts.targets.size(); ++t) {
    Calibration calibration;
    if (enough) calibration = fit_scale(chosen_on[t], pool);
    // Widening single draws would tear joint draws of several targets apart.
    if (enough && mode != Calibrate::kScale && parts.targets.size() == 1)
      fit_tails(chosen_on[t], pool, calibration);
    if (mode != Calibrate::kScale) fit_levels(apart ? promised_on[t] : chosen_on[t], pool, calibration);
    parts.calibration.push_back(calibration);
  }
}

}  // namespace mirrorball
