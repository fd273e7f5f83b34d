#include <algorithm>
#include <optional>

#include "engine/engine.h"
#include "group/group.h"
#include "model/calibrate.h"
#include "model/check_options.h"
#include "model/fill_rows.h"
#include "model/parts.h"
#include "model/plan_json.h"
#include "model/split_rows.h"
#include "plan/rules.h"
#include "table/source_prefix.h"
#include "train/ensemble.h"
#include "train/row_limit.h"

namespace mirrorball {
namespace {

/// Shares of the progress, and of the time where it is limited, until the refit begins.
constexpr double kFirstTraining = 0.8;

/// Passes a stage's progress on as a part of the whole.
ProgressCallback stage(const ProgressCallback& progress, double begin, double end, bool refit) {
  if (!progress) return {};
  return [=](Progress now) {
    now.share = begin + (end - begin) * now.share;
    now.refit = refit;
    return progress(now);
  };
}

/// A fit up to the point where training would begin.
struct Prepared {
  train::TrainingRows rows;
  std::vector<rows::RowNumber> seen;  ///< rows that a refit trains on, and that the transforms were fitted on
  std::vector<encode::NumberTransform> transforms;
  encode::Encoder encoder;
  Plan plan;
};

Prepared prepare(const model::FitTables& tables, const Roles& roles, const Options& options,
                 ThreadPool& pool) {
  model::check_options(options, roles.targets.size());
  train::check_training_rows(tables.rows(), table::source_prefix(tables.train));
  const std::vector<std::string> features = model::feature_names(tables.train, roles);
  Prepared made;
  model::split_rows(tables, options, made.rows);
  plan::FitFacts facts{made.rows.train.size(), made.rows.valid.size(), made.rows.conformal.size(),
                       tables.valid.has_value()};
  made.seen =
      plan::will_refit(options, facts) ? model::joined(made.rows.train, made.rows.valid) : made.rows.train;
  model::fill_weights(tables, roles.weight, made.rows);
  made.transforms = model::fill_targets(tables, roles.targets, options, made.seen, made.rows);
  made.encoder = encode::Encoder::fit(tables.train, features, made.seen, options, pool);
  facts.number_columns = made.encoder.number_columns();
  facts.code_columns = made.encoder.code_columns();
  facts.targets = roles.targets.size();
  facts.bfloat = engine::default_engine().has_bfloat();
  made.plan = plan::make_plan(options, facts);
  made.plan.inputs = model::plan_inputs(made.encoder);
  return made;
}

/// Networks, forest and calibration; then, where there are rows to add, the networks once more with all they
/// may see.
void train(train::TrainingRows& rows, std::vector<rows::RowNumber> seen, ThreadPool& pool,
           const ProgressCallback& progress, Model::Parts& parts) {
  const Plan& plan = parts.plan;
  const group::Group& processes = group::default_group();
  const train::TimeSlot whole(plan.time_limit);
  Plan first = plan;
  if (plan.refit) first.time_limit *= kFirstTraining;
  std::optional<forest::GrownForest> forest;
  if (plan.trees > 0)
    forest = forest::Forest::grow(rows.inputs, rows.targets.span(), rows.weights.span(), seen,
                                  {.trees = static_cast<std::size_t>(plan.trees)}, plan.seed, pool);
  bool stopped = false;
  for (train::TrainedNetwork& trained :
       train::train_networks(parts.shape, first, rows, processes, pool.size(),
                             stage(progress, 0, plan.refit ? kFirstTraining : 1, false))) {
    stopped = stopped || trained.history.stopped;
    parts.weights.push_back(std::move(trained.weights));
    parts.history.push_back(std::move(trained.history));
  }
  parts.plan.networks = static_cast<int>(parts.weights.size());
  parts.training_rows = rows.train.size();
  model::calibrate(rows, forest ? &*forest : nullptr, pool, parts);
  if (forest && parts.is_calibrated() && parts.calibration[0].forest_weight > 0)
    parts.forest = std::move(forest->forest);
  if (!plan.refit || stopped) return;
  rows.train = std::move(seen);
  rows.valid.clear();
  Plan again = plan;
  if (again.time_limit > 0) again.time_limit = std::max(1e-3, again.time_limit * (1 - whole.used()));
  train::refit_networks(parts.shape, again, rows, processes, pool.size(),
                        stage(progress, kFirstTraining, 1, true), parts.history, parts.weights);
  if (std::any_of(parts.history.begin(), parts.history.end(),
                  [](const NetworkHistory& n) { return n.refit; }))
    parts.training_rows = rows.train.size();
}

Model fit_tables(model::FitTables tables, const Roles& roles, const Options& options,
                 const ProgressCallback& progress) {
  ThreadPool pool(static_cast<unsigned>(options.threads));
  Prepared made = prepare(tables, roles, options, pool);
  auto parts = std::make_unique<Model::Parts>(options, std::move(made.plan), roles.targets,
                                              std::move(made.transforms), std::move(made.encoder));
  model::fill_inputs(std::move(tables), parts->encoder, made.rows, pool);
  train(made.rows, std::move(made.seen), pool, progress, *parts);
  return Model(std::move(parts));
}

}  // namespace

Model fit(Table train, const Roles& roles, const Options& options, const ProgressCallback& progress) {
  return fit_tables({std::move(train), std::nullopt}, roles, options, progress);
}

Model fit(Table train, Table valid, const Roles& roles, const Options& options,
          const ProgressCallback& progress) {
  return fit_tables({std::move(train), std::move(valid)}, roles, options, progress);
}

Plan plan_fit(Table train, const Roles& roles, const Options& options) {
  ThreadPool pool(static_cast<unsigned>(options.threads));
  return prepare({std::move(train), std::nullopt}, roles, options, pool).plan;
}

Plan plan_fit(Table train, Table valid, const Roles& roles, const Options& options) {
  ThreadPool pool(static_cast<unsigned>(options.threads));
  return prepare({std::move(train), std::move(valid)}, roles, options, pool).plan;
}

}  // namespace mirrorball
