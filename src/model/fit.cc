#include <algorithm>
#include <optional>
#include <utility>

#include "engine/device.h"
#include "group/group.h"
#include "group/together.h"
#include "model/calibrate.h"
#include "model/check_options.h"
#include "model/checkpoint_folder.h"
#include "model/experts.h"
#include "model/fill_cache.h"
#include "model/fill_rows.h"
#include "model/fit_clock.h"
#include "model/fit_identity.h"
#include "model/fit_memory.h"
#include "model/fit_progress.h"
#include "model/fit_with.h"
#include "model/held_out.h"
#include "model/parts.h"
#include "model/plan_json.h"
#include "model/split_rows.h"
#include "plan/rules.h"
#include "table/source_prefix.h"
#include "train/ensemble.h"
#include "train/row_limit.h"

namespace mirrorball {
namespace {

/// A fit up to the point where training would begin.
struct Prepared {
  train::TrainingRows rows;
  std::vector<rows::RowNumber> seen;  ///< rows that a refit trains on, and that the transforms were fitted on
  std::vector<encode::NumberTransform> transforms;
  encode::Encoder encoder;
  double weight_scale = 1;
  Plan plan;
};

model::CacheTask cache_task(const Prepared& made, const Roles& roles, const Options& options) {
  return {made.encoder, made.transforms, roles, made.weight_scale, options.cache};
}

plan::FitFacts facts_of(const model::FitTables& tables, const train::TrainingRows& rows) {
  plan::FitFacts facts;
  facts.training_rows = rows.train.size();
  facts.validation_rows = rows.valid.size();
  facts.conformal_rows = rows.conformal.size();
  facts.own_validation = tables.valid.has_value();
  facts.folds = rows.folds.size();
  if (!tables.whole) return facts;
  facts.training_rows += tables.whole->rows() - tables.train.rows();
  facts.sample_rows = tables.train.rows();
  return facts;
}

Prepared prepare(const model::FitTables& tables, const Roles& roles, const Options& options,
                 const model::FitMemory& memory, ThreadPool& pool) {
  model::check_options(options, roles.targets.size());
  if (tables.whole) {
    model::can_use_cache(roles, options, {memory.bytes, true});
    model::check_whole(*tables.whole, tables.train, roles);
  }
  train::check_training_rows(tables.rows(), table::source_prefix(tables.train));
  const std::vector<std::string> features = model::feature_names(tables.train, roles);
  Prepared made;
  model::split_rows(tables, roles, options, made.rows);
  plan::FitFacts facts = facts_of(tables, made.rows);
  facts.memory = memory.bytes;
  made.seen =
      plan::will_refit(options, facts) ? model::joined(made.rows.train, made.rows.valid) : made.rows.train;
  made.weight_scale = model::fill_weights(tables, roles.weight, made.rows);
  made.transforms = model::fill_targets(tables, roles.targets, options, made.seen, made.rows);
  made.encoder = encode::Encoder::fit(tables.train, features, made.seen, options, pool);
  facts.number_columns = made.encoder.number_columns();
  facts.code_columns = made.encoder.code_columns();
  facts.targets = roles.targets.size();
  facts.row_bytes = cache_task(made, roles, options).layout().row_bytes();
  facts.random_validation = roles.valid_by.empty() && roles.group.empty();
  facts.bfloat = engine::choose_engine(options.device).engine->bfloat_is_faster();
  made.plan = plan::make_plan(options, facts);
  made.plan.inputs = model::plan_inputs(made.encoder);
  made.plan.targets = model::plan_targets(roles.targets, made.transforms);
  made.plan.valid_by = roles.valid_by;
  made.plan.group = roles.group;
  return made;
}

/// The networks, with as many of the validation rows to look at as time allows. False when they were stopped.
bool train_first(train::TrainingRows& rows, double seconds, ThreadPool& pool,
                 const ProgressCallback& progress, train::StateStore* store, const train::SideWork& beside,
                 Model::Parts& parts) {
  Plan plan = parts.plan;
  plan.time_limit = seconds;
  const std::vector<rows::RowNumber> valid = rows.valid;
  rows.valid = model::thinned(valid, plan::epoch_validation_rows(parts.plan));
  bool stopped = false;
  for (train::TrainedNetwork& trained :
       train::train_networks(parts.shape, plan, rows, group::default_group(), pool.size(), progress, store,
                             *parts.device, beside)) {
    stopped = stopped || trained.history.stopped;
    parts.weights.push_back(std::move(trained.weights));
    parts.history.push_back(std::move(trained.history));
  }
  rows.valid = valid;
  parts.plan.networks = static_cast<int>(parts.weights.size());
  parts.training_rows = rows.training_size();
  return !stopped;
}

/// The networks once more, with all rows they may see.
void train_again(train::TrainingRows& rows, std::vector<rows::RowNumber> seen, double seconds,
                 ThreadPool& pool, const ProgressCallback& progress, train::StateStore* store,
                 Model::Parts& parts) {
  rows.train = std::move(seen);
  rows.valid.clear();
  rows.folds.clear();
  Plan again = parts.plan;
  again.time_limit = seconds;
  train::refit_networks(parts.shape, again, rows, group::default_group(), pool.size(), progress,
                        parts.history, parts.weights, store, *parts.device);
  if (std::any_of(parts.history.begin(), parts.history.end(),
                  [](const NetworkHistory& n) { return n.refit; }))
    parts.training_rows = rows.train.size();
}

/// The rows that networks train on, where they do not fit into memory.
void write_cache(const LargeTable& whole, const model::CacheTask& task, ThreadPool& pool,
                 const ProgressCallback& progress, train::TrainingRows& rows) {
  const auto told = [&](double) {
    Progress now;
    now.phase = FitPhase::kCache;
    return !progress || progress(now);
  };
  rows.cache = model::fill_cache(whole, rows, task, pool, told);
}

/// Experts, networks and calibration; then, where there are rows to add, the refit. Experts are fitted beside
/// the networks, but one after the other where each has a part of a limited time, and in several processes,
/// which wait for each other's networks.
void train(train::TrainingRows& rows, std::vector<rows::RowNumber> seen, const model::FitClock& whole,
           ThreadPool& pool, const ProgressCallback& callback, model::PhaseStores* stores,
           Model::Parts& parts) {
  const auto kept = [&](const char* phase) { return stores ? stores->phase(phase) : nullptr; };
  const Plan planned = parts.plan;
  const plan::TimeShares until = plan::time_shares(planned);
  // What is left of the limit now is shared out anew.
  const model::FitClock clock(whole.limited() ? std::max(whole.until(1), until.least_left * whole.limit())
                                              : 0);
  model::ExpertFits fits(rows, seen, clock, parts);
  model::FitProgress progress(planned, clock, callback, fits.works(), parts.device->trains_on_host());
  train::SideWork beside = fits.side_work();
  if (clock.limited() || group::default_group().size() > 1)
    train::do_side_work(std::exchange(beside, {}), pool.size(), progress.experts());
  const bool complete = train_first(rows, clock.until(until.training), pool, progress.training(),
                                    kept("training").get(), beside, parts);
  model::Experts experts = fits.take(pool);
  progress.calibration();
  model::calibrate(rows, experts, clock.until(until.calibration), pool, parts);
  model::keep_experts(std::move(experts), parts);
  if (planned.refit && complete)
    train_again(rows, std::move(seen), clock.until(until.refit), pool, progress.refit(), kept("refit").get(),
                parts);
}

model::MakeStores checkpoint_of(const Checkpoint& checkpoint, const Roles& roles, const Options& options) {
  return [&](const Plan& plan, const train::TrainingRows& rows) {
    return model::open_checkpoint(checkpoint, options, roles, plan, rows);
  };
}

Model fit_tables(model::FitTables tables, const Roles& roles, const Options& options,
                 const ProgressCallback& progress, double spent, const model::MakeStores& make_stores) {
  const model::FitClock clock(options.time_limit, spent);
  ThreadPool pool(static_cast<unsigned>(options.threads));
  const group::Group& group = group::default_group();
  const model::FitMemory memory = model::fit_memory(options, group);
  Prepared made = group::together(group, [&] {
    tables = model::within_memory(std::move(tables), roles, options, memory);
    Prepared ready = prepare(tables, roles, options, memory, pool);
    if (tables.whole)
      write_cache(*tables.whole, cache_task(ready, roles, options), pool, progress, ready.rows);
    return ready;
  });
  auto parts = std::make_unique<Model::Parts>(options, std::move(made.plan), roles.targets,
                                              std::move(made.transforms), std::move(made.encoder));
  parts->device = engine::choose_engine(options.device).engine;
  model::fill_inputs(std::move(tables), parts->encoder, made.rows, pool);
  model::check_same_fit(group, options, roles, parts->plan, made.rows);
  const std::unique_ptr<model::PhaseStores> stores = make_stores(parts->plan, made.rows);
  train(made.rows, std::move(made.seen), clock, pool, progress, stores.get(), *parts);
  return Model(std::move(parts));
}

Plan plan_tables(model::FitTables tables, const Roles& roles, const Options& options) {
  ThreadPool pool(static_cast<unsigned>(options.threads));
  const model::FitMemory memory = model::fit_memory(options, group::one_process());
  return prepare(model::within_memory(std::move(tables), roles, options, memory), roles, options, memory,
                 pool)
      .plan;
}

}  // namespace

Model model::fit_with(FitTables tables, const Roles& roles, const Options& options,
                      const ProgressCallback& progress, double spent, const MakeStores& make_stores) {
  return fit_tables(std::move(tables), roles, options, progress, spent, make_stores);
}

Model fit(Table train, const Roles& roles, const Options& options, const ProgressCallback& progress,
          double spent, const Checkpoint& checkpoint) {
  return fit_tables({std::move(train), std::nullopt}, roles, options, progress, spent,
                    checkpoint_of(checkpoint, roles, options));
}

Model fit(LargeTable train, std::optional<Table> valid, const Roles& roles, const Options& options,
          const ProgressCallback& progress, double spent, const Checkpoint& checkpoint) {
  return fit_tables(model::tables_of(std::move(train), std::move(valid)), roles, options, progress, spent,
                    checkpoint_of(checkpoint, roles, options));
}

Model fit(Table train, Table valid, const Roles& roles, const Options& options,
          const ProgressCallback& progress, double spent, const Checkpoint& checkpoint) {
  return fit_tables({std::move(train), std::move(valid)}, roles, options, progress, spent,
                    checkpoint_of(checkpoint, roles, options));
}

Plan plan_fit(Table train, const Roles& roles, const Options& options) {
  return plan_tables({std::move(train), std::nullopt}, roles, options);
}

Plan plan_fit(Table train, Table valid, const Roles& roles, const Options& options) {
  return plan_tables({std::move(train), std::move(valid)}, roles, options);
}

Plan plan_fit(LargeTable train, std::optional<Table> valid, const Roles& roles, const Options& options) {
  return plan_tables(model::tables_of(std::move(train), std::move(valid)), roles, options);
}

}  // namespace mirrorball
