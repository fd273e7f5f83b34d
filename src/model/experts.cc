#include "model/experts.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "calibrate/assess.h"
#include "model/held_out.h"

namespace mirrorball::model {
namespace {

/// What experts take, in rows that the default network trains on: a row of a tree of the forest, a row of a
/// step of the metric, a cell of a boosted tree, the third power of a Gaussian process's rows.
constexpr double kTreeRow = 0.07, kMetricRow = 0.04, kBoostCell = 2e-4, kProcessCube = 2e-5;

/// The columns of an encoded row that are not the values of numbers which are there by their ranks: trees
/// would cut both in the same places.
std::vector<std::uint32_t> numbers_once(const encode::Encoder& encoder) {
  std::vector<bool> again(encoder.number_columns());
  for (const encode::Feature& feature : encoder.features())
    if (feature.place.plain >= 0) again[static_cast<std::size_t>(feature.place.plain)] = true;
  std::vector<std::uint32_t> columns;
  for (std::uint32_t column = 0; column < again.size(); ++column)
    if (!again[column]) columns.push_back(column);
  return columns;
}

std::vector<std::vector<rows::RowNumber>> boost_folds(const train::TrainingRows& rows,
                                                      std::span<const rows::RowNumber> seen,
                                                      const Plan& plan) {
  if (!rows.folds.empty()) {
    std::vector<std::vector<rows::RowNumber>> folds = rows.folds;
    for (auto& fold : folds) fold = thinned(fold, std::max<std::size_t>(1, plan.boost_rows / folds.size()));
    return folds;
  }
  const std::vector<rows::RowNumber> some = thinned({seen.begin(), seen.end()}, plan.boost_rows);
  std::vector<std::uint32_t> groups;
  if (!rows.groups.empty())
    for (const rows::RowNumber row : some) groups.push_back(rows.groups[row]);
  const std::vector<std::size_t> fold_of = calibrate::fold_of_rows(some.size(), plan::kBoostFolds, groups);
  std::vector<std::vector<rows::RowNumber>> folds(plan::kBoostFolds);
  for (std::size_t i = 0; i < some.size(); ++i) folds[fold_of[i]].push_back(some[i]);
  std::erase_if(folds, [](const auto& fold) { return fold.empty(); });  // of a few groups
  return folds;
}

}  // namespace

ExpertFits::ExpertFits(const train::TrainingRows& rows, std::span<const rows::RowNumber> seen,
                       const FitClock& clock, const Model::Parts& parts)
    : rows_(rows),
      seen_(seen),
      clock_(clock),
      parts_(parts),
      plan_(parts.plan),
      until_(plan::time_shares(plan_)) {
  const auto count = [](std::size_t n) { return static_cast<double>(n); };
  const double columns = count(parts.encoder.number_columns() + parts.encoder.code_columns());
  if (plan_.trees > 0)
    add(kTreeRow * plan_.trees * count(std::min(seen.size(), forest::ForestPlan().max_rows)),
        [this](Watch& watch, ThreadPool& pool) { grow_forest(watch, pool); });
  if (plan_.process_rows > 0)
    add(kProcessCube * std::pow(count(plan_.process_rows), 3),
        [this](Watch& watch, ThreadPool& pool) { fit_process(watch, pool); });
  if (plan_.boosting > 0)
    add(kBoostCell * count(parts.targets.size()) * plan_.boosting * count(plan_.boost_rows) * columns,
        [this](Watch& watch, ThreadPool& pool) { boost(watch, pool); });
  if (plan_.neighbour_rows > 0) {
    const neighbours::MetricPlan usual;
    add(kMetricRow * count(usual.steps) * count(std::min(usual.candidates, plan_.neighbour_rows)),
        [this](Watch& watch, ThreadPool& pool) { fit_metric(watch, pool); });
  }
}

void ExpertFits::add(double work, Job job) {
  works_.emplace_back().work = work;
  jobs_.push_back(std::move(job));
}

train::SideWork ExpertFits::side_work() {
  train::SideWork work;
  for (std::size_t i = 0; i < jobs_.size(); ++i)
    work.jobs.push_back([this, i](ThreadPool& pool) {
      jobs_[i](works_[i].watch, pool);
      works_[i].watch.done = 1;
    });
  if (!clock_.limited()) std::ranges::reverse(work.jobs);
  work.stop = [this] {
    for (ExpertWork& one : works_) one.watch.stop = true;
  };
  return work;
}

void ExpertFits::grow_forest(Watch& watch, ThreadPool& pool) {
  made_.forest = forest::Forest::grow(
      rows_.inputs, rows_.targets.span(), rows_.weights.span(), seen_,
      {.trees = static_cast<std::size_t>(plan_.trees),
       .features = plan::forest_features(rows_.inputs.number_columns + rows_.inputs.code_columns),
       .seconds = clock_.until(until_.forest),
       .watch = &watch},
      plan_.seed, pool);
}

void ExpertFits::fit_process(Watch& watch, ThreadPool& pool) {
  made_.process = process::fit_process(
      {rows_.inputs, rows_.targets.span(), rows_.observed.span(), rows_.weights.span(), parts_.transforms[0]},
      plan::experts_see_validation(plan_) ? seen_ : rows_.train, clock_.until(until_.process), plan_.seed,
      pool, &watch);
}

void ExpertFits::boost(Watch& watch, ThreadPool& pool) {
  const std::vector<std::uint32_t> numbers = numbers_once(parts_.encoder);
  const auto folds = boost_folds(rows_, plan::experts_see_validation(plan_) ? seen_ : rows_.train, plan_);
  const std::size_t targets = parts_.targets.size();
  std::vector<boost::FittedBoost> boosted;
  for (std::size_t t = 0; t < targets; ++t)
    boosted.push_back(
        boost::fit_boosted({rows_.inputs, rows_.targets.span(), targets, t, rows_.weights.span(), numbers,
                            parts_.encoder.learned_rows()},
                           folds,
                           {.rounds = static_cast<std::size_t>(plan_.boosting),
                            .seconds = clock_.until(until_.boosting) / static_cast<double>(targets - t),
                            .watch = &watch,
                            .watched_share = 1 / static_cast<double>(targets)},
                           plan_.seed, pool));
  made_.boosted = std::move(boosted);
}

neighbours::MetricData ExpertFits::metric_data() const {
  return {rows_.inputs,         rows_.targets.span(), parts_.targets.size(),
          rows_.weights.span(), rows_.groups,         parts_.encoder.learned_rows()};
}

/// From rows that validate nothing.
void ExpertFits::fit_metric(Watch& watch, ThreadPool& pool) {
  metric_ =
      neighbours::fit_metric(metric_data(), thinned(rows_.train, plan_.neighbour_rows),
                             {.seconds = clock_.until(until_.neighbours), .watch = &watch}, plan_.seed, pool);
}

/// All rows that may be seen are kept as neighbours. Errors are those of the boosted trees' cross-fitted
/// means.
Experts ExpertFits::take(ThreadPool& pool) {
  if (!metric_) return std::move(made_);
  const std::vector<rows::RowNumber> all(seen_.begin(), seen_.end());
  neighbours::HeldOutMean mean;
  if (!made_.boosted.empty())
    mean = [&](std::uint32_t row, std::size_t t) {
      return made_.boosted[t].held_out_mean(rows_.inputs, row);
    };
  made_.neighbours = neighbours::keep_neighbours(
      metric_data(), *std::move(metric_),
      thinned(plan::experts_see_validation(plan_) ? all : rows_.train, plan_.neighbour_rows), mean, pool);
  return std::move(made_);
}

void keep_experts(Experts experts, Model::Parts& parts) {
  if (!parts.is_calibrated()) return;
  if (experts.forest && parts.calibration[0].forest_weight > 0)
    parts.forest = std::move(experts.forest->forest);
  parts.boosted.resize(parts.targets.size());
  for (std::size_t t = 0; t < experts.boosted.size(); ++t)
    if (parts.calibration[t].boost_weight > 0) parts.boosted[t] = std::move(experts.boosted[t].trees);
  if (experts.process && parts.calibration[0].process_weight > 0)
    parts.process = std::move(experts.process->process);
  if (experts.neighbours && experts.way && parts.calibration[0].neighbour_weight > 0)
    parts.neighbours = experts.neighbours->in_way(*experts.way);
}

}  // namespace mirrorball::model
