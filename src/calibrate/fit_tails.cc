#include "calibrate/fit_tails.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "mirrorball/score.h"
#include "plan/rules.h"

namespace mirrorball::calibrate {
namespace {

constexpr double kTailShares[] = {0.02, 0.04, 0.08}, kTailFactors[] = {2, 3, 4};
constexpr double kNllWeight = 0.05;

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

}  // namespace

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

}  // namespace mirrorball::calibrate
