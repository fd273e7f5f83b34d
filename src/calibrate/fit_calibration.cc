#include "calibrate/fit_calibration.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/order_statistics.h"
#include "mirrorball/predictive.h"
#include "mirrorball/score.h"

namespace mirrorball::calibrate {
namespace {

constexpr double kFactorLow = 0.7, kFactorHigh = 1.9, kFactorStep = 0.05;
constexpr double kShares[] = {0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};
constexpr double kTailShares[] = {0.02, 0.04, 0.08}, kTailFactors[] = {2, 3, 4};
constexpr double kNllWeight = 0.05;
constexpr double kLevelLow = 0.6, kLevelStep = 1.01;
constexpr std::size_t kLevelSteps = 352;  ///< up to a factor of 20
/// More rows than this do not change the choice of tails, and the density estimates are the dear part.
constexpr std::size_t kTailSearchRows = 500;

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

/// Mean of |a_i - a_j| over all pairs of ascending values: 2 sum_k (2k - n + 1) a_k / n^2.
double distance_within(std::span<const double> a) {
  const double n = static_cast<double>(a.size());
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += (2 * static_cast<double>(k) - n + 1) * a[k];
  return 2 * sum / (n * n);
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

/// CRPS of the pool with weight p on the forest, from the distances of its two parts:
///   (1-p) |N - y| + p |F - y| - ((1-p)^2 |N - N'| + 2 p (1-p) |N - F| + p^2 |F - F'|) / 2
struct RowDistances {
  double forest_truth = 0, network_within = 0, forest_within = 0;
  std::vector<double> network_truth, between;  ///< one per factor

  double crps(std::size_t factor_index, double factor, double p) const {
    const double q = 1 - p;
    return q * network_truth[factor_index] + p * forest_truth -
           0.5 *
               (q * q * factor * network_within + 2 * p * q * between[factor_index] + p * p * forest_within);
  }
};

std::vector<double> factors() {
  std::vector<double> all;
  for (int i = 0; kFactorLow + i * kFactorStep < kFactorHigh + 1e-9; ++i)
    all.push_back(kFactorLow + i * kFactorStep);
  return all;
}

RowDistances row_distances(const HeldOut& rows, std::size_t row, const std::vector<double>& grid) {
  const auto network_floats = rows.network_of(row), forest_floats = rows.forest_of(row);
  std::vector<double> network(network_floats.begin(), network_floats.end()),
      forest(forest_floats.begin(), forest_floats.end());
  const double y = rows.transformed_truth[row], middle = sorted_median(network);
  RowDistances result;
  result.network_within = distance_within(network);
  if (!forest.empty()) {
    result.forest_truth = distance_to(forest, y);
    result.forest_within = distance_within(forest);
  }
  std::vector<double> scaled(network.size());
  for (const double factor : grid) {
    for (std::size_t i = 0; i < network.size(); ++i) scaled[i] = middle + factor * (network[i] - middle);
    result.network_truth.push_back(distance_to(scaled, y));
    result.between.push_back(forest.empty() ? 0 : distance_between(scaled, forest));
  }
  return result;
}

/// The corrected pool of one row, of so many draws thinned from those given, ascending, in the target's
/// units.
std::vector<double> pooled(const HeldOut& rows, std::size_t row, std::size_t samples,
                           const Calibration& calibration, CalibrationScratch& scratch) {
  const std::size_t from_forest = rows.forest_draws > 0 ? forest_draws(calibration, samples) : 0,
                    from_networks = samples - from_forest;
  std::vector<double> draws(samples);
  const auto thin = [](std::span<const float> from, std::size_t count, double* to) {
    for (std::size_t i = 0; i < count; ++i) to[i] = from[(2 * i + 1) * from.size() / (2 * count)];
  };
  thin(rows.network_of(row), from_networks, draws.data());
  if (from_forest > 0) thin(rows.forest_of(row), from_forest, draws.data() + from_networks);
  apply(calibration, from_networks, draws, scratch);
  for (double& draw : draws) draw = rows.transform.inverse(draw);
  std::sort(draws.begin(), draws.end());
  return draws;
}

double tail_objective(const HeldOut& rows, ThreadPool& pool, const Calibration& calibration) {
  const std::size_t count = std::min(rows.rows, kTailSearchRows);
  std::vector<double> crps_of(count), nll_of(count);
  std::vector<CalibrationScratch> scratch(pool.size());
  double weight = 0;
  each_row(count, pool, [&](std::size_t i, unsigned worker) {
    const std::size_t row = i * rows.rows / count;  // evenly spread over the table
    const std::vector<double> draws = pooled(rows, row, kPoolDraws, calibration, scratch[worker]);
    crps_of[i] = rows.weight[row] * crps(draws, rows.truth[row]);
    nll_of[i] = rows.weight[row] * kde_nll(draws, {&rows.truth[row], 1});
  });
  for (std::size_t i = 0; i < count; ++i) weight += rows.weight[i * rows.rows / count];
  if (!(weight > 0)) return 0;
  const double mean_crps = std::accumulate(crps_of.begin(), crps_of.end(), 0.0) / weight,
               mean_nll = std::accumulate(nll_of.begin(), nll_of.end(), 0.0) / weight;
  return std::log(std::max(mean_crps, std::numeric_limits<double>::min())) + kNllWeight * mean_nll;
}

double level_factor(std::size_t step) { return kLevelLow * std::pow(kLevelStep, static_cast<double>(step)); }

/// Share of the rows, by weight, whose central 90% interval covers what came.
double coverage(const HeldOut& rows, std::size_t samples, ThreadPool& pool, const Calibration& calibration) {
  std::vector<double> inside(rows.rows);
  std::vector<CalibrationScratch> scratch(pool.size());
  each_row(rows.rows, pool, [&](std::size_t row, unsigned worker) {
    const std::vector<double> draws = pooled(rows, row, samples, calibration, scratch[worker]);
    Predictive one(1, samples, {""});
    std::copy(draws.begin(), draws.end(), one.draws(0).begin());
    const auto [low, high] = one.interval(0.9, 0);
    inside[row] = low <= rows.truth[row] && rows.truth[row] <= high;
  });
  return weighted_mean(rows, inside);
}

}  // namespace

Calibration fit_scale(const HeldOut& rows, double least_forest, ThreadPool& pool) {
  Calibration best;
  if (rows.rows == 0 || rows.network_draws == 0) return best;
  const std::vector<double> grid = factors();
  std::vector<RowDistances> distances(rows.rows);
  each_row(rows.rows, pool,
           [&](std::size_t row, unsigned) { distances[row] = row_distances(rows, row, grid); });
  const bool forest = rows.forest_draws > 0;
  const double least = forest ? least_forest : 0;
  double best_score = std::numeric_limits<double>::infinity();
  std::vector<double> scores(rows.rows);
  for (const double share : kShares) {
    if (share < least - 1e-12 || (share > 0 && !forest)) continue;
    for (std::size_t i = 0; i < grid.size(); ++i) {
      for (std::size_t row = 0; row < rows.rows; ++row) scores[row] = distances[row].crps(i, grid[i], share);
      const double score = weighted_mean(rows, scores);
      if (!(score < best_score)) continue;
      best_score = score;
      best.forest_weight = share;
      best.spread = grid[i];
    }
  }
  return best;
}

void fit_tails(const HeldOut& rows, bool keep_some, ThreadPool& pool, Calibration& calibration) {
  if (rows.rows == 0 || rows.network_draws == 0) return;
  Calibration best = calibration;
  double best_score = std::numeric_limits<double>::infinity();
  const auto attempt = [&](double share, double factor) {
    Calibration candidate = calibration;
    candidate.tail_weight = share;
    candidate.tail_spread = factor;
    const double score = tail_objective(rows, pool, candidate);
    if (!(score < best_score)) return;
    best_score = score;
    best = candidate;
  };
  if (!keep_some) attempt(0, 1);
  for (const double share : kTailShares)
    for (const double factor : kTailFactors) attempt(share, factor);
  calibration = best;
}

void fit_interval(const HeldOut& rows, std::size_t samples, ThreadPool& pool, Calibration& calibration) {
  if (rows.rows == 0 || rows.network_draws == 0) return;
  const double n = static_cast<double>(rows.rows), wanted = std::min(1.0, std::ceil(0.9 * (n + 1)) / n);
  // Coverage grows with the factor: halve the range of steps until the first that is enough is found.
  std::size_t low = 0, high = kLevelSteps;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    calibration.interval = level_factor(middle);
    if (coverage(rows, samples, pool, calibration) >= wanted - 1e-12) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  calibration.interval = level_factor(low);
}

}  // namespace mirrorball::calibrate
