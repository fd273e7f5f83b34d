#include "model/calibrate.h"

#include <algorithm>

#include "calibrate/fit_calibration.h"
#include "engine/engine.h"
#include "model/pool_draws.h"

namespace mirrorball::model {
namespace {

constexpr std::size_t kForestDraws = 100, kNetworkDraws = calibrate::kPoolDraws - kForestDraws;

/// `most` of the rows, evenly spread.
std::vector<rows::RowNumber> thinned(const std::vector<rows::RowNumber>& rows, std::size_t most) {
  if (rows.size() <= most) return rows;
  std::vector<rows::RowNumber> some(most);
  for (std::size_t i = 0; i < most; ++i) some[i] = rows[i * rows.size() / most];
  return some;
}

/// How many draws a forecast is made of, and which noise.
struct PoolSize {
  std::size_t networks, forest;
  std::uint64_t seed;
};

/// Forecasts of the rows `which`, one entry per target. Rows without a tree that has not seen them keep the
/// networks' draws in the forest's place.
std::vector<calibrate::HeldOut> forecasts(const train::TrainingRows& rows,
                                          std::span<const rows::RowNumber> which, const PoolSize& size,
                                          const forest::GrownForest* forest, ThreadPool& pool,
                                          const Model::Parts& parts) {
  const std::size_t targets = parts.targets.size();
  const std::vector<float> all =
      network_draws(parts, *engine::default_engine().draw(parts.shape, parts.weights), rows, which,
                    size.networks, size.seed, pool);
  std::vector<calibrate::HeldOut> result(targets);
  for (std::size_t t = 0; t < targets; ++t) {
    calibrate::HeldOut& one = result[t];
    one.rows = which.size();
    one.network_draws = size.networks;
    one.transform = parts.transforms[t];
    for (std::size_t i = 0; i < which.size(); ++i) {
      const float* first = all.data() + (i * targets + t) * size.networks;
      one.network.insert(one.network.end(), first, first + size.networks);
      std::sort(one.network.end() - static_cast<std::ptrdiff_t>(size.networks), one.network.end());
      one.transformed_truth.push_back(static_cast<double>(rows.targets[which[i] * targets + t]));
      one.truth.push_back(rows.observed[which[i] * targets + t]);
      one.weight.push_back(static_cast<double>(rows.weights[which[i]]));
    }
  }
  if (!forest || size.forest == 0) return result;
  calibrate::HeldOut& one = result[0];
  one.forest_draws = size.forest;
  one.forest.resize(which.size() * size.forest);
  std::vector<forest::Forest::Scratch> scratch(pool.size());
  pool.run(which.size(), [&](std::size_t i, unsigned worker) {
    const std::span<float> out(one.forest.data() + i * size.forest, size.forest);
    if (forest->forest.quantiles_out_of_bag(rows.inputs, which[i], forest->in_bag, out, scratch[worker]))
      return;
    const std::span<const float> networks = one.network_of(i);
    for (std::size_t k = 0; k < size.forest; ++k)
      out[k] = networks[(2 * k + 1) * networks.size() / (2 * size.forest)];
  });
  return result;
}

}  // namespace

void calibrate(const train::TrainingRows& rows, const forest::GrownForest* forest, ThreadPool& pool,
               Model::Parts& parts) {
  const Plan& plan = parts.plan;
  if (plan.calibrate == Calibrate::kNone) return;
  parts.calibration.resize(parts.targets.size());
  if (plan.calibration_rows > 0) {
    const std::vector<calibrate::HeldOut> held_out =
        forecasts(rows, thinned(rows.valid, plan.calibration_rows), {kNetworkDraws, kForestDraws, plan.seed},
                  forest, pool, parts);
    for (std::size_t t = 0; t < held_out.size(); ++t) {
      Calibration& one = parts.calibration[t];
      one = calibrate::fit_scale(held_out[t], plan.least_forest_weight, pool);
      if (plan.tails) calibrate::fit_tails(held_out[t], plan.keep_tails, pool, one);
      if (plan.calibrate == Calibrate::kLevels)
        calibrate::fit_interval(held_out[t], calibrate::kPoolDraws, pool, one);
    }
  }
  if (plan.calibrate != Calibrate::kConformal) return;
  // The promise is exact for the samples that `predict` makes, so the same samples are looked at here.
  const std::size_t from_forest = calibrate::forest_draws(parts.calibration[0], kSummarySamples);
  const std::vector<calibrate::HeldOut> promised =
      forecasts(rows, thinned(rows.conformal, plan.interval_rows),
                {kSummarySamples - from_forest, from_forest, PredictOptions().seed}, forest, pool, parts);
  for (std::size_t t = 0; t < promised.size(); ++t)
    calibrate::fit_interval(promised[t], kSummarySamples, pool, parts.calibration[t]);
}

}  // namespace mirrorball::model
