#include "model/experts.h"

#include "plan/rules.h"

namespace mirrorball::model {

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
        plan::process_sees_validation(plan) ? seen : rows.train, clock.until(until.process), plan.seed, pool);
  return made;
}

void keep_experts(Experts experts, Model::Parts& parts) {
  if (!parts.is_calibrated()) return;
  if (experts.forest && parts.calibration[0].forest_weight > 0)
    parts.forest = std::move(experts.forest->forest);
  if (experts.process && parts.calibration[0].process_weight > 0)
    parts.process = std::move(experts.process->process);
}

}  // namespace mirrorball::model
