#include "model/experts.h"

#include "calibrate/assess.h"
#include "model/held_out.h"
#include "plan/rules.h"

namespace mirrorball::model {
namespace {

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

/// The metric is learned from rows that validate nothing; all that may be seen are kept. Errors are those of
/// the boosted trees' cross-fitted means.
neighbours::FittedNeighbours fit_neighbours(const train::TrainingRows& rows,
                                            std::span<const rows::RowNumber> seen, const Experts& made,
                                            const FitClock& clock, ThreadPool& pool,
                                            const Model::Parts& parts) {
  const Plan& plan = parts.plan;
  const std::vector<rows::RowNumber> all(seen.begin(), seen.end());
  const neighbours::MetricData data{rows.inputs,         rows.targets.span(), parts.targets.size(),
                                    rows.weights.span(), rows.groups,         parts.encoder.learned_rows()};
  neighbours::HeldOutMean mean;
  if (!made.boosted.empty())
    mean = [&](std::uint32_t row, std::size_t t) { return made.boosted[t].held_out_mean(rows.inputs, row); };
  return neighbours::fit_neighbours(
      data, thinned(rows.train, plan.neighbour_rows),
      thinned(plan::experts_see_validation(plan) ? all : rows.train, plan.neighbour_rows), mean,
      {.seconds = clock.until(plan::time_shares(plan).neighbours)}, plan.seed, pool);
}

}  // namespace

Experts fit_experts(const train::TrainingRows& rows, std::span<const rows::RowNumber> seen,
                    const FitClock& clock, ThreadPool& pool, const Model::Parts& parts) {
  const Plan& plan = parts.plan;
  const plan::TimeShares until = plan::time_shares(plan);
  Experts made;
  if (plan.trees > 0)
    made.forest = forest::Forest::grow(
        rows.inputs, rows.targets.span(), rows.weights.span(), seen,
        {.trees = static_cast<std::size_t>(plan.trees), .seconds = clock.until(until.forest)}, plan.seed,
        pool);
  if (plan.process_rows > 0)
    made.process = process::fit_process(
        {rows.inputs, rows.targets.span(), rows.observed.span(), rows.weights.span(), parts.transforms[0]},
        plan::experts_see_validation(plan) ? seen : rows.train, clock.until(until.process), plan.seed, pool);
  if (plan.boosting > 0) {
    const std::vector<std::uint32_t> numbers = numbers_once(parts.encoder);
    const auto folds = boost_folds(rows, plan::experts_see_validation(plan) ? seen : rows.train, plan);
    const std::size_t targets = parts.targets.size();
    for (std::size_t t = 0; t < targets; ++t)
      made.boosted.push_back(
          boost::fit_boosted({rows.inputs, rows.targets.span(), targets, t, rows.weights.span(), numbers,
                              parts.encoder.learned_rows()},
                             folds,
                             {.rounds = static_cast<std::size_t>(plan.boosting),
                              .seconds = clock.until(until.boosting) / static_cast<double>(targets - t)},
                             plan.seed, pool));
  }
  if (plan.neighbour_rows > 0) made.neighbours = fit_neighbours(rows, seen, made, clock, pool, parts);
  return made;
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
