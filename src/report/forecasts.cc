#include "report/forecasts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/order_statistics.h"
#include "base/thread_pool.h"
#include "predictive/block_rows.h"
#include "report/joint_scores.h"
#include "report/round_thresholds.h"
#include "score/calibration.h"
#include "score/forecast.h"

namespace mirrorball::report {
namespace {

constexpr std::array<double, 11> kCoverages = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98};

/// `number` is the row's among all that are looked at.
RowForecast summary(const Predictive& forecast, std::size_t row, std::size_t number, std::size_t target,
                    const std::vector<double>& thresholds, const double* observed,
                    std::vector<double>& sorted) {
  RowForecast result;
  result.mean = forecast.mean(row, target);
  result.sd = forecast.sd(row, target);
  const UncertaintyParts expected = forecast.uncertainty(row, target).expected_crps;
  result.aleatoric = expected.aleatoric;
  result.epistemic = expected.epistemic;
  const std::span<const double> own = forecast.row_samples(row, target);
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

/// Rows that one task adds up, so that sums do not depend on the number of threads.
constexpr std::size_t kTaskRows = 64;

/// Fills forecasts, block by block of their rows.
class Summing {
 public:
  Summing(const Model& model, std::vector<double> observed, std::size_t rows, unsigned threads)
      : pool_(threads),
        scratch_(pool_.size()),
        scorer_(model.targets(), {kCoverages.begin(), kCoverages.end()}, threads) {
    all_.rows = rows;
    all_.targets = model.targets().size();
    all_.observed = std::move(observed);
    all_.cell.resize(rows * all_.targets);
    split_.resize(all_.targets);
    all_.correlation.resize(all_.targets * all_.targets);
    correlations_.resize(joint() ? rows * all_.correlation.size() : 0);
    all_.joint_ranks.resize(joint() && all_.scored() ? rows : 0);
    for (const ColumnSchema& target : model.schema().targets) {
      all_.thresholds.push_back(round_thresholds(target));
      const double spread = target.training_quantile(0.95) - target.training_quantile(0.05);
      scales_.push_back(spread > 0 ? spread : 1);
    }
  }

  /// The samples of the rows from `begin` on.
  void add(const Predictive& forecast, std::size_t begin) {
    all_.samples = forecast.samples();
    std::vector<TaskScores> added((forecast.rows() + kTaskRows - 1) / kTaskRows);
    pool_.run(added.size(), [&](std::size_t task, unsigned worker) {
      added[task].split.resize(all_.scored() ? all_.targets : 0);
      const std::size_t first = task * kTaskRows;
      for (std::size_t i = first; i < std::min(forecast.rows(), first + kTaskRows); ++i)
        add_row(forecast, i, begin + i, scratch_[worker], added[task]);
    });
    for (const TaskScores& one : added) {
      for (std::size_t t = 0; t < one.split.size(); ++t) split_[t].add(one.split[t]);
      all_.variogram_score += one.variogram / static_cast<double>(all_.rows);
    }
    if (all_.scored())
      scorer_.add(forecast,
                  std::span(all_.observed).subspan(begin * all_.targets, forecast.rows() * all_.targets));
  }

  Forecasts finish() {
    for (std::size_t i = 0; i < correlations_.size(); ++i)
      all_.correlation[i % all_.correlation.size()] += correlations_[i] / static_cast<double>(all_.rows);
    if (!all_.scored()) return std::move(all_);
    all_.scores = scorer_.finish();
    for (const CrpsSplit& one : split_) all_.split.push_back(one.parts());
    if (joint()) all_.observed_correlation = correlation_of_outcomes(all_);
    return std::move(all_);
  }

 private:
  /// What some rows add to scores that need their samples.
  struct TaskScores {
    std::vector<CrpsSplit> split;  ///< of each target
    double variogram = 0;
  };

  bool joint() const { return all_.targets > 1; }

  void add_row(const Predictive& forecast, std::size_t i, std::size_t row, std::vector<double>& sorted,
               TaskScores& added) {
    for (std::size_t t = 0; t < all_.targets; ++t) {
      const std::size_t at = row * all_.targets + t;
      const double* observed = all_.scored() ? &all_.observed[at] : nullptr;
      all_.cell[at] = summary(forecast, i, row, t, all_.thresholds[t], observed, sorted);
      if (observed) added.split[t].add(sorted, *observed);
      for (std::size_t u = 0; joint() && u < all_.targets; ++u)
        correlations_[at * all_.targets + u] =
            correlation(forecast.row_samples(i, t), forecast.row_samples(i, u));
    }
    if (all_.joint_ranks.empty()) return;
    const auto seen = std::span<const double>(all_.observed).subspan(row * all_.targets, all_.targets);
    added.variogram += variogram_score(forecast, i, seen, scales_);
    all_.joint_ranks[row] = average_rank(forecast, i, seen, scoring::tie_break(row, all_.targets));
  }

  ThreadPool pool_;
  std::vector<std::vector<double>> scratch_;  ///< of each thread
  Scorer scorer_;
  Forecasts all_;
  std::vector<double> scales_;        ///< of the targets
  std::vector<double> correlations_;  ///< rows x targets x targets
  std::vector<CrpsSplit> split_;      ///< of each target
};

}  // namespace

const IntervalScore& Forecasts::ninety(std::size_t target) const {
  const auto& intervals = scores.targets[target].intervals;
  return *std::find_if(intervals.begin(), intervals.end(),
                       [](const IntervalScore& one) { return one.level == 0.9; });
}

std::span<const double> report_coverages() { return kCoverages; }

Forecasts forecast_all(const Model& model, const Table& table, std::vector<double> observed,
                       const PredictOptions& options, const std::function<void(double share)>& progress) {
  Summing sums(model, std::move(observed), table.rows(), options.threads);
  const std::size_t rows = table.rows(),
                    most = predictive::block_rows(options.samples, model.targets().size());
  for (std::size_t begin = 0, end; begin < rows; begin = end) {
    end = std::min(rows, begin + most);
    sums.add(model.predict(table, begin, end, options), begin);
    if (progress) progress(static_cast<double>(end) / static_cast<double>(rows));
  }
  return sums.finish();
}

}  // namespace mirrorball::report
