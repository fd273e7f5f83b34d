#include "report/forecasts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/order_statistics.h"
#include "base/thread_pool.h"
#include "predictive/block_rows.h"
#include "report/joint_scores.h"
#include "score/calibration.h"
#include "score/forecast.h"

namespace mirrorball::report {
namespace {

constexpr std::array<double, 11> kCoverages = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98};

/// `number` is the row's among all that are looked at.
RowForecast summary(const Predictive& draws, std::size_t row, std::size_t number, std::size_t target,
                    const std::vector<double>& thresholds, const double* observed,
                    std::vector<double>& sorted) {
  RowForecast result;
  result.mean = draws.mean(row, target);
  result.sd = draws.sd(row, target);
  const UncertaintyParts expected = draws.uncertainty(row, target).expected_crps;
  result.aleatoric = expected.aleatoric;
  result.epistemic = expected.epistemic;
  const std::span<const double> own = draws.row_samples(row, target);
  sorted.assign(own.begin(), own.end());
  std::sort(sorted.begin(), sorted.end());
  result.median = sorted_quantile(sorted, 0.5);
  result.low = sorted_quantile(sorted, 0.05);
  result.high = sorted_quantile(sorted, 0.95);
  result.mass = scoring::sorted_mass(sorted, result.low, result.high);
  for (std::size_t i = 0; i < RowForecast::kPoints; ++i)
    result.points[i] =
        static_cast<float>(sorted_quantile(sorted, (static_cast<double>(i) + 0.5) / RowForecast::kPoints));
  for (std::size_t k = 0; k < thresholds.size(); ++k)
    result.above[k] =
        static_cast<float>(sorted.end() - std::upper_bound(sorted.begin(), sorted.end(), thresholds[k])) /
        static_cast<float>(sorted.size());
  if (observed) {
    result.pit = scoring::sorted_pit(sorted, *observed);
    result.rank = scoring::sorted_random_pit(sorted, *observed, scoring::tie_break(number, target));
    result.crps = scoring::sorted_crps(sorted, *observed, false);
  }
  return result;
}

/// Correlation of two runs; 0 where one of them does not vary.
double correlation(std::span<const double> a, std::span<const double> b) {
  const double n = static_cast<double>(a.size());
  double mean_a = 0, mean_b = 0, aa = 0, bb = 0, ab = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    mean_a += a[i] / n;
    mean_b += b[i] / n;
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
    ab += (a[i] - mean_a) * (b[i] - mean_b);
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

std::vector<double> correlation_of_outcomes(const Forecasts& all) {
  std::vector<std::vector<double>> standard(all.targets);
  for (std::size_t row = 0; row < all.rows; ++row) {
    const bool spread = std::all_of(all.cell.begin() + static_cast<std::ptrdiff_t>(row * all.targets),
                                    all.cell.begin() + static_cast<std::ptrdiff_t>((row + 1) * all.targets),
                                    [](const RowForecast& one) { return one.sd > 0; });
    for (std::size_t t = 0; spread && t < all.targets; ++t)
      standard[t].push_back((all.outcome(row, t) - all.at(row, t).mean) / all.at(row, t).sd);
  }
  std::vector<double> result(all.targets * all.targets);
  for (std::size_t a = 0; a < all.targets; ++a)
    for (std::size_t b = 0; b < all.targets; ++b)
      result[a * all.targets + b] = correlation(standard[a], standard[b]);
  return result;
}

std::vector<double> thresholds_of(const ColumnSchema& target) {
  std::vector<double> result;
  for (std::size_t k = 1; k <= RowForecast::kThresholds; ++k)
    result.push_back(target.training_quantile(static_cast<double>(k) / (RowForecast::kThresholds + 1)));
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

/// What a block of rows adds to scores that need its draws.
struct BlockScores {
  std::vector<CrpsSplit> split;  ///< of each target
  double variogram = 0;
};

/// Rows that one task adds up, so that sums do not depend on the number of threads.
constexpr std::size_t kTaskRows = 64;

}  // namespace

const IntervalScore& Forecasts::ninety(std::size_t target) const {
  const auto& intervals = scores.targets[target].intervals;
  return *std::find_if(intervals.begin(), intervals.end(),
                       [](const IntervalScore& one) { return one.level == 0.9; });
}

std::span<const double> report_coverages() { return kCoverages; }

Forecasts forecast_all(const Model& model, const Table& table, std::vector<double> observed,
                       const PredictOptions& options, const std::function<void(double share)>& progress) {
  Forecasts all;
  all.rows = table.rows();
  all.targets = model.targets().size();
  all.observed = std::move(observed);
  all.cell.resize(all.rows * all.targets);
  all.correlation.resize(all.targets * all.targets);
  std::vector<double> correlations(all.targets > 1 ? all.rows * all.correlation.size() : 0);
  std::vector<double> scales;
  for (const ColumnSchema& target : model.schema().targets) {
    all.thresholds.push_back(thresholds_of(target));
    const double spread = target.training_quantile(0.95) - target.training_quantile(0.05);
    scales.push_back(spread > 0 ? spread : 1);
  }
  Scorer scorer(model.targets(), {kCoverages.begin(), kCoverages.end()}, options.threads);
  ThreadPool pool(options.threads);
  std::vector<std::vector<double>> scratch(pool.size());
  std::vector<CrpsSplit> split;
  all.joint_ranks.resize(all.scored() && all.targets > 1 ? all.rows : 0);
  for (std::size_t begin = 0, end; begin < all.rows; begin = end) {
    end = std::min(all.rows, begin + predictive::block_rows(options.samples, all.targets));
    const Predictive draws = model.predict(table, begin, end, options);
    all.samples = draws.samples();
    if (split.empty()) split.assign(all.targets, CrpsSplit(all.samples));
    const std::size_t tasks = (end - begin + kTaskRows - 1) / kTaskRows;
    std::vector<BlockScores> added(tasks);
    pool.run(tasks, [&](std::size_t task, unsigned worker) {
      added[task].split.assign(all.scored() ? all.targets : 0, CrpsSplit(all.samples));
      for (std::size_t row = begin + task * kTaskRows; row < std::min(end, begin + (task + 1) * kTaskRows);
           ++row) {
        const std::size_t i = row - begin;
        for (std::size_t t = 0; t < all.targets; ++t) {
          const std::size_t at = row * all.targets + t;
          all.cell[at] = summary(draws, i, row, t, all.thresholds[t],
                                 all.scored() ? &all.observed[at] : nullptr, scratch[worker]);
          if (all.scored()) added[task].split[t].add(scratch[worker], all.observed[at]);
          for (std::size_t u = 0; u < all.targets && all.targets > 1; ++u)
            correlations[at * all.targets + u] =
                correlation(draws.row_samples(i, t), draws.row_samples(i, u));
        }
        if (all.joint_ranks.empty()) continue;
        const auto seen = std::span(all.observed).subspan(row * all.targets, all.targets);
        added[task].variogram += variogram_score(draws, i, seen, scales);
        all.joint_ranks[row] = average_rank(draws, i, seen, scoring::tie_break(row, all.targets));
      }
    });
    for (const BlockScores& one : added) {
      for (std::size_t t = 0; t < one.split.size(); ++t) split[t].add(one.split[t]);
      all.variogram_score += one.variogram / static_cast<double>(all.rows);
    }
    if (all.scored())
      scorer.add(draws, std::span(all.observed).subspan(begin * all.targets, (end - begin) * all.targets));
    if (progress) progress(static_cast<double>(end) / static_cast<double>(all.rows));
  }
  for (std::size_t i = 0; i < correlations.size(); ++i)
    all.correlation[i % all.correlation.size()] += correlations[i] / static_cast<double>(all.rows);
  if (all.scored()) {
    all.scores = scorer.finish();
    for (const CrpsSplit& one : split) all.split.push_back(one.parts());
    if (all.targets > 1) all.observed_correlation = correlation_of_outcomes(all);
  }
  return all;
}

}  // namespace mirrorball::report
