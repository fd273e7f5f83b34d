#include "calibrate/fit_calibration.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/order_statistics.h"
#include "mirrorball/score.h"
#include "plan/rules.h"

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
constexpr double kTailShares[] = {0.02, 0.04, 0.08}, kTailFactors[] = {2, 3, 4};
constexpr double kNllWeight = 0.05;
constexpr double kCentral = 0.9;  ///< of the interval that is corrected
/// Draws that closed intervals hold beyond the 90% they are asked for, from which on values repeat: one atom
/// in a twentieth of the rows, as a cap has it, holds less.
constexpr double kRepeatedMass = 0.025;
constexpr double kLevelLow = 0.6, kLevelStep = 1.01;
constexpr std::size_t kLevelSteps = 352;  ///< up to a factor of 20

/// Calls body(row, worker) for every row.
template <class Body>
void each_row(std::size_t rows, ThreadPool& pool, const Body& body) {
  constexpr std::size_t kTask = 16;
  pool.run((rows + kTask - 1) / kTask, [&](std::size_t task, unsigned worker) {
    for (std::size_t row = task * kTask; row < std::min(rows, (task + 1) * kTask); ++row) body(row, worker);
  });
}

double weighted_mean(const HeldOut& rows, const std::vector<double>& values) {
  double sum = 0, weight = 0;
  for (std::size_t row = 0; row < values.size(); ++row) {
    sum += rows.weight[row] * values[row];
    weight += rows.weight[row];
  }
  return weight > 0 ? sum / weight : 0;
}

/// Mean of |a_i - y|.
double distance_to(std::span<const double> a, double y) {
  double sum = 0;
  for (const double value : a) sum += std::abs(value - y);
  return sum / static_cast<double>(a.size());
}

/// Mean of |a_i - b_j|, both ascending: the distances within the union, less those within each.
double distance_between(std::span<const double> a, std::span<const double> b) {
  double total_b = std::accumulate(b.begin(), b.end(), 0.0), below = 0, sum = 0;
  const double n = static_cast<double>(b.size());
  std::size_t j = 0;
  for (const double value : a) {
    for (; j < b.size() && b[j] <= value; ++j) below += b[j];
    sum += (2 * static_cast<double>(j) - n) * value + total_b - 2 * below;
  }
  return sum / (static_cast<double>(a.size()) * n);
}

std::vector<double> factors() {
  std::vector<double> all;
  for (int i = 0; kFactorLow + i * kFactorStep < kFactorHigh + 1e-9; ++i)
    all.push_back(kFactorLow + i * kFactorStep);
  return all;
}

/// Mean distances of a row's sources, of which the first are the networks, stretched by one factor after the
/// other, and the others forest, Gaussian process and neighbours, where there are any. With weights w the
/// pool has
///   CRPS = sum_a w_a |A - y| - sum_ab w_a w_b |A - B| / 2,
/// linear in these distances: their means over the rows are all that is needed.
struct Distances {
  static constexpr std::size_t kOthers = 3;
  using Weights = std::array<double, kOthers>;

  double network_within = 0;                               ///< of factor 1
  std::vector<double> network_truth;                       ///< one per factor
  std::array<std::vector<double>, kOthers> network_other;  ///< one per factor
  Weights truth{};
  std::array<Weights, kOthers> apart{};  ///< of two others, the second not before the first

  double crps(std::size_t factor_index, double factor, const Weights& weight) const {
    const double network = 1 - std::accumulate(weight.begin(), weight.end(), 0.0);
    double within = network * network * factor * network_within,
           to_truth = network * network_truth[factor_index];
    for (std::size_t a = 0; a < kOthers; ++a) {
      if (weight[a] == 0) continue;
      to_truth += weight[a] * truth[a];
      within += weight[a] * (weight[a] * apart[a][a] + 2 * network * network_other[a][factor_index]);
      for (std::size_t b = a + 1; b < kOthers; ++b) within += 2 * weight[a] * weight[b] * apart[a][b];
    }
    return to_truth - 0.5 * within;
  }

  void add(double share, const Distances& row) {
    const auto add_all = [share](std::vector<double>& to, const std::vector<double>& from) {
      to.resize(from.size());
      for (std::size_t i = 0; i < from.size(); ++i) to[i] += share * from[i];
    };
    network_within += share * row.network_within;
    add_all(network_truth, row.network_truth);
    for (std::size_t a = 0; a < kOthers; ++a) {
      truth[a] += share * row.truth[a];
      add_all(network_other[a], row.network_other[a]);
      for (std::size_t b = a; b < kOthers; ++b) apart[a][b] += share * row.apart[a][b];
    }
  }
};

Distances row_distances(const HeldOut& rows, std::size_t row, const std::vector<double>& grid,
                        double boost_weight) {
  const auto doubles = [&](const HeldOut::Draws& draws) {
    const std::span<const float> own = draws.of(row);
    std::vector<double> moved(own.begin(), own.end());
    if (!rows.boosted.empty()) move_towards(rows.boosted[row], boost_weight, moved);
    return moved;
  };
  const std::vector<double> network = doubles(rows.network);
  const std::array<std::vector<double>, Distances::kOthers> others = {
      doubles(rows.forest), doubles(rows.process), doubles(rows.neighbours)};
  const double y = rows.transformed_truth[row], middle = sorted_median(network);
  Distances result;
  result.network_within = sorted_mean_difference(network) * (rows.widening.empty() ? 1 : rows.widening[row]);
  for (std::size_t a = 0; a < others.size(); ++a) {
    if (others[a].empty()) continue;
    result.truth[a] = distance_to(others[a], y);
    result.apart[a][a] = sorted_mean_difference(others[a]);
    for (std::size_t b = a + 1; b < others.size(); ++b)
      if (!others[b].empty()) result.apart[a][b] = distance_between(others[a], others[b]);
  }
  std::vector<double> scaled(network.size());
  for (const double factor : grid) {
    for (std::size_t i = 0; i < network.size(); ++i) scaled[i] = middle + factor * (network[i] - middle);
    result.network_truth.push_back(distance_to(scaled, y));
    for (std::size_t a = 0; a < others.size(); ++a)
      if (!others[a].empty()) result.network_other[a].push_back(distance_between(scaled, others[a]));
  }
  return result;
}

std::vector<Distances> all_distances(const HeldOut& rows, const std::vector<double>& grid,
                                     double boost_weight, ThreadPool& pool) {
  std::vector<Distances> each(rows.rows);
  each_row(rows.rows, pool,
           [&](std::size_t row, unsigned) { each[row] = row_distances(rows, row, grid, boost_weight); });
  return each;
}

/// The mean over the rows, by weight.
Distances mean_distances(const HeldOut& rows, const std::vector<Distances>& each) {
  const double total = std::accumulate(rows.weight.begin(), rows.weight.end(), 0.0);
  Distances mean;
  for (std::size_t row = 0; row < rows.rows; ++row)
    mean.add(total > 0 ? rows.weight[row] / total : 0, each[row]);
  return mean;
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

double tail_objective(const HeldOut& rows, const Atoms& atoms, ThreadPool& pool,
                      const Calibration& calibration) {
  const std::size_t count = std::min(rows.rows, plan::kTailSearchRows);
  std::vector<double> crps_of(count), nll_of(count);
  std::vector<CalibrationScratch> scratch(pool.size());
  double weight = 0;
  each_row(count, pool, [&](std::size_t i, unsigned worker) {
    const std::size_t row = i * rows.rows / count;  // evenly spread over the table
    const std::vector<double> draws = pooled(rows, row, plan::kPoolDraws, calibration, scratch[worker]);
    crps_of[i] = rows.weight[row] * crps(draws, rows.truth[row]);
    nll_of[i] = rows.weight[row] * nll(draws, rows.truth[row], atoms);
  });
  for (std::size_t i = 0; i < count; ++i) weight += rows.weight[i * rows.rows / count];
  if (!(weight > 0)) return 0;
  const double mean_crps = std::accumulate(crps_of.begin(), crps_of.end(), 0.0) / weight,
               mean_nll = std::accumulate(nll_of.begin(), nll_of.end(), 0.0) / weight;
  return std::log(std::max(mean_crps, std::numeric_limits<double>::min())) + kNllWeight * mean_nll;
}

double level_factor(std::size_t step) { return kLevelLow * std::pow(kLevelStep, static_cast<double>(step)); }

/// What the central 90% intervals hold, as means over the rows by weight.
struct Coverage {
  double closed;   ///< share of the rows whose interval, ends included, has what came
  double by_rank;  ///< the same by the rank of what came: see `rank_inside`
  double mass;     ///< share of the draws in their own interval, ends included
};

/// The probability that the rank of an outcome is within the central 90% of the draws. Where it equals
/// several draws, its rank is anywhere among theirs. Of a calibrated forecast the mean is 90%, whatever
/// values repeat.
double rank_inside(std::span<const double> sorted, double y, bool closed) {
  const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), y);
  if (last - first < 2) return closed ? 1 : 0;
  const double n = static_cast<double>(sorted.size()), low = static_cast<double>(first - sorted.begin()) / n,
               high = static_cast<double>(last - sorted.begin()) / n;
  return std::max(0.0, std::min(high, (1 + kCentral) / 2) - std::max(low, (1 - kCentral) / 2)) / (high - low);
}

Coverage coverage(const HeldOut& rows, std::size_t samples, ThreadPool& pool,
                  const Calibration& calibration) {
  std::vector<double> closed(rows.rows), by_rank(rows.rows), mass(rows.rows);
  std::vector<CalibrationScratch> scratch(pool.size());
  each_row(rows.rows, pool, [&](std::size_t row, unsigned worker) {
    const std::vector<double> draws = pooled(rows, row, samples, calibration, scratch[worker]);
    const double low = sorted_quantile(draws, (1 - kCentral) / 2), y = rows.truth[row],
                 high = sorted_quantile(draws, (1 + kCentral) / 2);
    closed[row] = low <= y && y <= high;
    by_rank[row] = rank_inside(draws, y, low <= y && y <= high);
    const auto inside = std::upper_bound(draws.begin(), draws.end(), high) -
                        std::lower_bound(draws.begin(), draws.end(), low);
    mass[row] = static_cast<double>(inside) / static_cast<double>(draws.size());
  });
  return {weighted_mean(rows, closed), weighted_mean(rows, by_rank), weighted_mean(rows, mass)};
}

/// The least factor of the interval with which the share `of` the rows is what 90% of one more row would be.
double least_factor(const HeldOut& rows, std::size_t samples, double Coverage::*of, ThreadPool& pool,
                    Calibration calibration) {
  const double n = static_cast<double>(rows.rows), wanted = std::min(1.0, std::ceil(kCentral * (n + 1)) / n);
  // Coverage grows with the factor: halve the range of steps until the first that is enough is found.
  std::size_t low = 0, high = kLevelSteps;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    calibration.interval = level_factor(middle);
    if (coverage(rows, samples, pool, calibration).*of >= wanted - 1e-12) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return level_factor(low);
}

}  // namespace

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

void fit_tails(const HeldOut& rows, bool keep_some, ThreadPool& pool, Calibration& calibration) {
  if (rows.rows == 0 || rows.network.count == 0) return;
  const Atoms atoms = rows.transform.has_quantiles() ? Atoms(rows.transform.knots()) : Atoms();
  Calibration best = calibration;
  double best_score = std::numeric_limits<double>::infinity();
  const auto attempt = [&](double share, double factor) {
    Calibration candidate = calibration;
    candidate.tail_weight = share;
    candidate.tail_spread = factor;
    const double score = tail_objective(rows, atoms, pool, candidate);
    if (!(score < best_score)) return;
    best_score = score;
    best = candidate;
  };
  if (!keep_some) attempt(0, 1);
  for (const double share : kTailShares)
    for (const double factor : kTailFactors) attempt(share, factor);
  calibration = best;
}

bool values_repeat(const HeldOut& rows, std::size_t samples, ThreadPool& pool,
                   const Calibration& calibration) {
  return coverage(rows, samples, pool, calibration).mass > kCentral + kRepeatedMass;
}

void fit_interval(const HeldOut& rows, std::size_t samples, bool by_rank, ThreadPool& pool,
                  Calibration& calibration) {
  if (rows.rows == 0 || rows.network.count == 0) return;
  calibration.interval = least_factor(rows, samples, &Coverage::closed, pool, calibration);
  // Ranks only keep what is right from shrinking. Where many rows have one value, their share within the
  // interval hardly grows with it, and would ask for any width.
  if (by_rank && calibration.interval < 1)
    calibration.interval = std::min(1.0, least_factor(rows, samples, &Coverage::by_rank, pool, calibration));
}

}  // namespace mirrorball::calibrate
