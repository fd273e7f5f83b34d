#include "model/calibrate.h"

#include <algorithm>

#include "calibrate/assess.h"
#include "calibrate/fit_interval.h"
#include "calibrate/fit_tails.h"
#include "model/choose_way.h"
#include "model/held_out.h"
#include "model/split_rows.h"
#include "plan/rules.h"
#include "train/trainer.h"

namespace mirrorball::model {
namespace {

/// Rows that show how long a calibration takes.
constexpr std::size_t kTrialRows = 64;
/// More training rows than this do not change the score of their distribution.
constexpr std::size_t kDistributionRows = 100000;

/// Draws of a held-out row's forecast, from which pools of kPoolDraws are made.
constexpr calibrate::PoolParts kHeldOutDraws = {plan::kPoolDraws - plan::kForestPoolDraws,
                                                plan::kForestPoolDraws, plan::kForestPoolDraws,
                                                plan::kForestPoolDraws};

/// What the plan has a calibration learn from rows that chose the epochs too.
Calibration fit_target(const calibrate::HeldOut& rows, calibrate::AllowedWeights allowed, const Plan& plan,
                       ThreadPool& pool) {
  Calibration made =
      calibrate::fit_scale(rows, allowed, calibrate::fit_boost_weight(rows, allowed, pool), pool);
  if (plan.tails) calibrate::fit_tails(rows, plan.keep_tails, pool, made);
  if (plan.calibrate == Calibrate::kInterval)
    calibrate::fit_interval(rows, plan::kPoolDraws,
                            calibrate::values_repeat(rows, plan::kPoolDraws, pool, made), pool, made);
  return made;
}

/// Forecasts of held-out rows, and how a target's calibration is made of some of them; without a way, the
/// forecasts are scored as they are.
struct Scored {
  std::vector<rows::RowNumber> which;
  std::vector<calibrate::HeldOut> rows;  ///< one entry per target
  std::size_t samples = 0;
  std::function<Calibration(const calibrate::HeldOut&, std::size_t target)> fit;
};

FitReport make_report(const Scored& scored, const train::TrainingRows& rows, ThreadPool& pool,
                      const Model::Parts& parts) {
  FitReport report;
  report.rows = scored.rows[0].rows;
  report.conformal_rows = parts.plan.calibrate == Calibrate::kConformal;
  report.cross_fitted = scored.fit != nullptr;
  const std::vector<rows::RowNumber> training = thinned(rows.train, kDistributionRows);
  std::vector<std::uint32_t> groups;
  if (!rows.groups.empty())
    for (const rows::RowNumber row : scored.which) groups.push_back(rows.groups[row]);
  const std::vector<std::size_t> fold_of =
      calibrate::fold_of_rows(report.rows, plan::report_folds(report.rows), groups);
  for (std::size_t t = 0; t < scored.rows.size(); ++t) {
    const calibrate::HeldOut& held_out = scored.rows[t];
    const calibrate::Assessment sum =
        scored.fit ? calibrate::cross_assess(
                         held_out, fold_of, scored.samples,
                         [&](const calibrate::HeldOut& some) { return scored.fit(some, t); }, pool)
                   : calibrate::assess(held_out, {}, scored.samples, pool);
    const double weight = sum.weight > 0 ? sum.weight : 1;
    report.targets.push_back({parts.targets[t], sum.crps / weight, sum.error / weight, sum.inside / weight,
                              sum.width / weight,
                              training_crps(rows, training, held_out, t, scored.rows.size())});
  }
  return report;
}

/// Validation rows of a model whose samples stay as they are; with a time limit as many as after an epoch.
Scored as_they_are(const train::TrainingRows& rows, ThreadPool& pool, const Model::Parts& parts) {
  Scored scored;
  const std::size_t most = std::min(plan::kMostCalibrationRows, plan::epoch_validation_rows(parts.plan));
  scored.samples = parts.shape.noisy() ? plan::kPoolDraws : parts.weights.size();
  scored.which = thinned(rows.valid, most);
  scored.rows = forecasts(rows, scored.which, {{scored.samples}, parts.plan.seed}, {}, pool, parts);
  return scored;
}

/// Calibrates on the validation rows.
Scored by_validation(const train::TrainingRows& rows, Experts& experts, ThreadPool& pool,
                     Model::Parts& parts) {
  const Plan& plan = parts.plan;
  const std::vector<rows::RowNumber> which =
      thinned(rows.folds.empty() ? rows.valid : joined(rows.train, rows.valid), plan.calibration_rows);
  experts.way.reset();
  Scored scored{which, forecasts(rows, which, {kHeldOutDraws, plan.seed}, experts, pool, parts),
                plan::kPoolDraws, nullptr};
  calibrate::AllowedWeights allowed{.least_forest = plan.least_forest_weight};
  if (experts.neighbours)
    experts.way = choose_way(near_rows(rows, which, *experts.neighbours, pool), *experts.neighbours,
                             kHeldOutDraws.neighbours, allowed, pool, scored.rows);
  if (scored.rows.size() > 1) allowed = shared_weights(scored.rows, allowed, pool);
  scored.fit = [&plan, &pool, allowed](const calibrate::HeldOut& some, std::size_t) {
    return fit_target(some, allowed, plan, pool);
  };
  for (std::size_t t = 0; t < scored.rows.size(); ++t) parts.calibration[t] = scored.fit(scored.rows[t], t);
  return scored;
}

/// Adds the interval that rows held out for it set. The promise is exact for the samples that `predict`
/// makes, so the same samples are looked at here.
Scored by_conformal(const train::TrainingRows& rows, const Experts& experts, ThreadPool& pool,
                    Model::Parts& parts) {
  const std::vector<rows::RowNumber> which = thinned(rows.conformal, parts.plan.interval_rows);
  Scored scored{
      which,
      forecasts(rows, which,
                {calibrate::pool_parts(parts.calibration[0], kSummarySamples), PredictOptions().seed},
                experts, pool, parts),
      kSummarySamples, [&](const calibrate::HeldOut& some, std::size_t t) {
        Calibration made = parts.calibration[t];
        calibrate::fit_interval(some, kSummarySamples, false, pool, made);
        return made;
      }};
  for (std::size_t t = 0; t < scored.rows.size(); ++t) parts.calibration[t] = scored.fit(scored.rows[t], t);
  return scored;
}

void calibrate_and_score(const train::TrainingRows& rows, Experts& experts, ThreadPool& pool,
                         Model::Parts& parts) {
  const Plan& plan = parts.plan;
  Scored scored;
  if (plan.calibrate != Calibrate::kNone) parts.calibration.assign(parts.targets.size(), {});
  if (plan.calibration_rows > 0) scored = by_validation(rows, experts, pool, parts);
  if (plan.calibrate == Calibrate::kConformal) scored = by_conformal(rows, experts, pool, parts);
  if (scored.rows.empty() && rows.valid.size() >= plan::kFewestReportRows)
    scored = as_they_are(rows, pool, parts);
  if (!scored.rows.empty() && scored.rows[0].rows >= plan::kFewestReportRows)
    parts.report = make_report(scored, rows, pool, parts);
}

/// The plan with as many rows as fit into the time, told from a calibration on a few of them.
Plan plan_in_time(const train::TrainingRows& rows, Experts& experts, double seconds, ThreadPool& pool,
                  Model::Parts& parts) {
  const Plan whole = parts.plan;
  const std::size_t most = std::max(whole.calibration_rows, whole.interval_rows);
  if (most <= 2 * kTrialRows) return whole;
  const auto at_most = [&](std::size_t rows_wanted) {
    return plan::with_calibration_rows(whole, std::min(whole.calibration_rows, rows_wanted),
                                       std::min(whole.interval_rows, rows_wanted));
  };
  const train::TimeSlot trial(seconds);
  parts.plan = at_most(kTrialRows);
  calibrate_and_score(rows, experts, pool, parts);
  const double used = trial.used(), fitting = kTrialRows * std::max(0.0, 1 - used) / used;
  return at_most(
      std::max(kTrialRows, static_cast<std::size_t>(std::min(fitting, static_cast<double>(most)))));
}

}  // namespace

void calibrate(const train::TrainingRows& rows, Experts& experts, double seconds, ThreadPool& pool,
               Model::Parts& parts) {
  if (seconds > 0) parts.plan = plan_in_time(rows, experts, seconds, pool, parts);
  calibrate_and_score(rows, experts, pool, parts);
}

}  // namespace mirrorball::model
