#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"
#include "base/order_statistics.h"
#include "base/suggest.h"
#include "base/thread_pool.h"
#include "mirrorball/score.h"
#include "score/calibration.h"
#include "score/row.h"

namespace mirrorball {
namespace {

// Enough work to hide the hand-over (0.2 ms at 500 draws), little enough to share out a block evenly.
constexpr std::size_t kRowsPerTask = 16;

/// The intervals that the calibration is told by are always scored, before those asked for.
constexpr std::array kCheckedLevels = {0.5, 0.9};

MeanMedian mean_median(std::vector<double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return {sum / static_cast<double>(values.size()), median(values)};
}

/// What is kept of one target: sums, and one number a row where the median is asked.
struct TargetSums {
  double absolute = 0, squared = 0;
  std::vector<double> crps, nll;
  std::size_t floored = 0;
  std::vector<double> widths, inside, masses;
  std::array<double, 10> quantile_bins{}, pit_bins{};
  scoring::CheckedRows checked;

  explicit TargetSums(std::size_t levels) : widths(levels), inside(levels), masses(levels) {}

  void add(const scoring::RowScore& row, double observed, const scoring::RowInterval* intervals) {
    absolute += std::abs(row.median_error);
    squared += row.mean_error * row.mean_error;
    crps.push_back(row.crps);
    nll.push_back(row.nll);
    floored += row.floored ? 1 : 0;
    quantile_bins[row.quantile_bin] += 1;
    pit_bins[row.pit_bin] += 1;
    checked.pit.push_back(row.random_pit);
    checked.observed.push_back(observed);
    checked.ties += row.ties;
    checked.points += row.point ? 1 : 0;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      widths[i] += intervals[i].width;
      inside[i] += intervals[i].inside ? 1 : 0;
      masses[i] += intervals[i].mass;
    }
  }

  TargetScores finish(const std::string& name, const std::vector<double>& levels) const {
    const double rows = static_cast<double>(crps.size());
    TargetScores scores{.name = name,
                        .mae = absolute / rows,
                        .rmse = std::sqrt(squared / rows),
                        .crps = mean_median(crps),
                        .nll = mean_median(nll),
                        .nll_floored = floored,
                        .intervals = {},
                        .calibration = {}};
    std::vector<IntervalScore> all;
    for (std::size_t i = 0; i < levels.size(); ++i)
      all.push_back({.level = levels[i],
                     .coverage = inside[i] / rows,
                     .width = widths[i] / rows,
                     .mass = masses[i] / rows});
    scores.intervals.assign(all.begin() + kCheckedLevels.size(), all.end());
    scoring::CheckedRows check = checked;
    check.ties /= rows;
    check.half = all[0];
    check.ninety = all[1];
    scores.calibration = scoring::check_calibration(std::move(check));
    for (std::size_t bin = 0; bin < pit_bins.size(); ++bin) {
      scores.qice += std::abs(quantile_bins[bin] / rows - 0.1) / 10;
      scores.pit[bin] = pit_bins[bin] / rows;
    }
    return scores;
  }
};

}  // namespace

struct Scorer::Data {
  std::vector<std::string> targets;
  std::vector<double> levels;
  ThreadPool pool;
  std::size_t samples = 0;
  std::vector<TargetSums> sums;
  std::vector<double> energy;

  void check(const Predictive& forecast, std::span<const double> observed) const;
};

void Scorer::Data::check(const Predictive& forecast, std::span<const double> observed) const {
  if (forecast.target_names() != targets)
    bad_input("the forecast has {} targets ({}), but the scorer has {} ({})", forecast.targets(),
              listing(forecast.target_names()), targets.size(), listing(targets));
  if (!energy.empty() && forecast.samples() != samples)
    bad_input("this block has {} samples per row, but earlier blocks had {}", forecast.samples(), samples);
  if (observed.size() != forecast.rows() * targets.size())
    bad_input("{} observed values do not match the forecast: it has {} rows of {} targets", observed.size(),
              forecast.rows(), targets.size());
  for (std::size_t i = 0; i < observed.size(); ++i)
    if (!std::isfinite(observed[i]))
      bad_input("the observed '{}' in row {} of {} is {}: remove such rows", targets[i % targets.size()],
                i / targets.size(), forecast.rows(), observed[i]);
}

Scorer::Scorer(std::vector<std::string> targets, std::vector<double> interval_levels, unsigned threads) {
  if (targets.empty()) bad_input("no targets to score: give at least 1");
  for (const double level : interval_levels)
    if (!(level >= 0 && level <= 1)) bad_input("interval level {} is out of range: use 0 to 1", level);
  interval_levels.insert(interval_levels.begin(), kCheckedLevels.begin(), kCheckedLevels.end());
  const std::vector<TargetSums> sums(targets.size(), TargetSums(interval_levels.size()));
  data_.reset(new Data{std::move(targets), std::move(interval_levels), ThreadPool(threads), 0, sums, {}});
}

Scorer::~Scorer() = default;
Scorer::Scorer(Scorer&&) noexcept = default;
Scorer& Scorer::operator=(Scorer&&) noexcept = default;

/// Rows are scored in parallel, each by itself, and then added up in their order: neither the number of
/// threads nor the cut into blocks can change a bit of the result.
void Scorer::add(const Predictive& forecast, std::span<const double> observed) {
  data_->check(forecast, observed);
  const std::size_t rows = forecast.rows(), targets = data_->targets.size(), levels = data_->levels.size();
  std::vector<scoring::RowScore> scores(rows * targets);
  std::vector<scoring::RowInterval> intervals(rows * targets * levels);
  std::vector<double> energy(rows);
  std::vector<scoring::RowScorer> workers(data_->pool.size(),
                                          scoring::RowScorer(forecast.samples(), targets));
  data_->pool.run((rows + kRowsPerTask - 1) / kRowsPerTask, [&](std::size_t task, unsigned worker) {
    const std::size_t end = std::min(rows, (task + 1) * kRowsPerTask);
    for (std::size_t row = task * kRowsPerTask; row < end; ++row)
      energy[row] = workers[worker].score(
          forecast, row, data_->energy.size() + row, observed.subspan(row * targets, targets), data_->levels,
          scores.data() + row * targets, intervals.data() + row * targets * levels);
  });
  for (std::size_t i = 0; i < scores.size(); ++i)
    data_->sums[i % targets].add(scores[i], observed[i], intervals.data() + i * levels);
  data_->energy.insert(data_->energy.end(), energy.begin(), energy.end());
  data_->samples = forecast.samples();
}

const std::vector<double>& Scorer::observed(std::size_t target) const {
  return data_->sums.at(target).checked.observed;
}

Scores Scorer::finish() const {
  if (data_->energy.empty()) bad_input("no rows scored: add at least 1");
  Scores scores{.rows = data_->energy.size(), .samples = data_->samples, .targets = {}, .energy_score = {}};
  for (std::size_t target = 0; target < data_->targets.size(); ++target)
    scores.targets.push_back(data_->sums[target].finish(data_->targets[target], data_->levels));
  scores.energy_score = mean_median(data_->energy);
  return scores;
}

Scores score(const Predictive& forecast, std::span<const double> observed) {
  Scorer scorer(forecast.target_names());
  scorer.add(forecast, observed);
  return scorer.finish();
}

}  // namespace mirrorball
