#include "calibrate/fit_weights.h"

#include <algorithm>
#include <limits>

#include "calibrate/distances.h"

namespace mirrorball::calibrate {
namespace {

constexpr double kFactorLow = 0.7, kFactorHigh = 1.9, kFactorStep = 0.05;
constexpr double kShares[] = {0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};
constexpr double kMostShared = 0.9;  ///< of all but the networks together
constexpr double kBoostWeights[] = {0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1};
/// What makes a prediction take longer must lower the CRPS by this share.
constexpr double kLeastGain = 0.002, kLeastBoostWeight = 0.05;
/// Spreads that are tried where many forecasts are compared.
const std::vector<double> kCoarseFactors = {0.8, 0.9, 1, 1.1, 1.25, 1.5};

std::vector<double> factors() {
  std::vector<double> all;
  for (int i = 0; kFactorLow + i * kFactorStep < kFactorHigh + 1e-9; ++i)
    all.push_back(kFactorLow + i * kFactorStep);
  return all;
}

struct Scale {
  Calibration calibration;
  std::size_t factor_index = 0;  ///< of its spread
  double crps = std::numeric_limits<double>::infinity();
};

/// The weights that are tried; one of 0 alone where a source is missing.
std::vector<double> shares(bool there, double least = 0, double most = 1) {
  std::vector<double> some;
  for (const double share : kShares)
    if (there && share >= least - 1e-12 && share <= most + 1e-12) some.push_back(share);
  return there ? some : std::vector<double>{0};
}

/// The best spread of the grid and the best weights by the mean distances.
Scale best_scale(const HeldOut& rows, const Distances& mean, const std::vector<double>& grid,
                 const AllowedWeights& allowed) {
  Scale best;
  const auto attempt = [&](const Distances::Weights& weight) {
    for (std::size_t i = 0; i < grid.size(); ++i) {
      const double score = mean.crps(i, grid[i], weight);
      if (!(score < best.crps)) continue;
      best.crps = score;
      best.factor_index = i;
      best.calibration = {.forest_weight = weight[0],
                          .process_weight = weight[1],
                          .neighbour_weight = weight[2],
                          .spread = grid[i]};
    }
  };
  const std::vector<double> forest = shares(rows.forest.count > 0, allowed.least_forest, allowed.most_forest),
                            process = shares(rows.process.count > 0),
                            neighbours = shares(rows.neighbours.count > 0, allowed.least_neighbours,
                                                allowed.most_neighbours);
  for (const double f : forest)
    for (const double p : process)
      for (const double n : neighbours)
        if (f + p + n <= kMostShared + 1e-12) attempt({f, p, n});
  return best;
}

}  // namespace

Calibration fit_scale(const HeldOut& rows, AllowedWeights allowed, double boost_weight, ThreadPool& pool) {
  if (rows.rows == 0 || rows.network.count == 0) return {};
  const std::vector<double> grid = factors();
  const Distances mean = mean_distances(rows, all_distances(rows, grid, boost_weight, pool));
  Calibration made = best_scale(rows, mean, grid, allowed).calibration;
  made.boost_weight = boost_weight;
  return made;
}

PoolScore pool_score(const HeldOut& rows, AllowedWeights allowed, double boost_weight, ThreadPool& pool) {
  const std::vector<Distances> each = all_distances(rows, kCoarseFactors, boost_weight, pool);
  const Scale scale = best_scale(rows, mean_distances(rows, each), kCoarseFactors, allowed);
  const Calibration& made = scale.calibration;
  PoolScore result{scale.crps, {}};
  for (const Distances& row : each)
    result.crps.push_back(row.crps(scale.factor_index, made.spread,
                                   {made.forest_weight, made.process_weight, made.neighbour_weight}));
  return result;
}

double sure_part(const HeldOut& rows, const PoolScore& with, const PoolScore& without) {
  const double gain = without.mean - with.mean;
  if (!(gain > kLeastGain * without.mean)) return 0;
  double squares = 0, weight = 0;
  for (std::size_t row = 0; row < rows.rows; ++row) {
    const double deviation = without.crps[row] - with.crps[row] - gain;
    squares += rows.weight[row] * rows.weight[row] * deviation * deviation;
    weight += rows.weight[row];
  }
  return std::max(0.0, 1 - squares / (gain * gain * weight * weight));
}

/// The best weight is that of these rows. Shrunken by the part of its gain that chance alone gives, it holds
/// for others too.
double fit_boost_weight(const HeldOut& rows, AllowedWeights allowed, ThreadPool& pool) {
  if (rows.boosted.empty() || rows.rows == 0) return 0;
  const PoolScore without = pool_score(rows, allowed, 0, pool);
  PoolScore best = without;
  double best_weight = 0;
  for (const double weight : kBoostWeights) {
    if (weight == 0) continue;
    PoolScore with = pool_score(rows, allowed, weight, pool);
    if (!(with.mean < best.mean)) continue;
    best = std::move(with);
    best_weight = weight;
  }
  const double shrunken = best_weight * sure_part(rows, best, without);
  return shrunken < kLeastBoostWeight ? 0 : shrunken;
}

AllowedWeights shared_weights(std::span<const HeldOut> targets, AllowedWeights allowed, ThreadPool& pool) {
  const std::vector<double> grid = factors();
  bool forest = true, neighbours = true;
  std::vector<Distances> distances;
  for (const HeldOut& rows : targets) {
    if (rows.rows == 0 || rows.network.count == 0) return {0, 0, 0, 0};
    forest = forest && rows.forest.count > 0;
    neighbours = neighbours && rows.neighbours.count > 0;
    distances.push_back(mean_distances(rows, all_distances(rows, grid, 0, pool)));
  }
  AllowedWeights best{0, 0, 0, 0};
  double best_sum = std::numeric_limits<double>::infinity();
  for (const double f : shares(forest, allowed.least_forest, allowed.most_forest))
    for (const double n : shares(neighbours, allowed.least_neighbours, allowed.most_neighbours)) {
      if (f + n > kMostShared + 1e-12) continue;
      double sum = 0;
      for (std::size_t t = 0; t < targets.size(); ++t)
        sum += best_scale(targets[t], distances[t], grid, {f, f, n, n}).crps;
      if (!(sum < best_sum)) continue;
      best_sum = sum;
      best = {f, f, n, n};
    }
  return best;
}

}  // namespace mirrorball::calibrate
