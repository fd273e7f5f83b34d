#include "train/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.h"
#include "engine/engine.h"
#include "group/together.h"
#include "plan/rules.h"
#include "train/bytes.h"
#include "train/category_start.h"
#include "train/network_bytes.h"
#include "train/row_order.h"

namespace mirrorball::train {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kReportEvery = std::chrono::milliseconds(100);
/// Steps after which the processes of a team ask each other whether to go on: clocks differ, steps do not.
constexpr std::size_t kTeamReportEvery = 32;
/// Of a training step's time, what a pass forward through the same lines takes.
constexpr double kForwardShare = 0.5;

double seconds_since(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

engine::TrainTask task_of(const net::NetShape& shape, const Plan& plan, std::uint32_t network,
                          const RowOrder& order, const group::Group& team) {
  const auto size = [](int n) { return static_cast<std::size_t>(n); };
  engine::TrainTask task;
  task.shape = shape;
  task.seed = plan.seed;
  task.network = network;
  task.noise = {size(plan.draws), plan.stratified, size(plan.noise_table)};
  task.loss = kernels::EnergyScore::make(task.noise.draws, shape.targets, plan.energy_exponent, plan.fair);
  task.loss.strata = plan.stratified && shape.noise_dim == 1 && plan.draws > 1 && plan.energy_exponent == 1;
  task.largest_batch = size(plan.batch);
  task.bfloat = plan.precision == Precision::kBfloat16;
  task.averages = plan.averaging > 0;
  task.validation_samples = size(plan.validation_samples);
  task.rows = &order.store();
  task.validation = order.validation();
  task.team = &team;
  return task;
}

Buffer<float> fresh_weights(const net::NetShape& shape, const Plan& plan, std::uint32_t network,
                            const TrainingRows& rows, std::span<const rows::RowNumber> train) {
  const net::NetLayout layout(shape);
  const net::Start start{plan.init_sd, plan.wave_low, plan.wave_high, plan.damp_waves && network % 2 == 1};
  Buffer<float> weights = net::initial_weights(shape, layout, start, plan.seed, network);
  if (plan.order_categories)
    CategoryStart(shape, rows, train).apply(layout, plan.seed, network, weights.data());
  return weights;
}

std::unique_ptr<engine::TrainEngine> begin(const engine::Engine& engine, const net::NetShape& shape,
                                           const Plan& plan, std::uint32_t network, const TrainingRows& rows,
                                           const TrainingRows::Split& split, const RowOrder& order,
                                           ThreadPool& pool, const Buffer<float>* start,
                                           const group::Group& team) {
  const engine::TrainTask task = task_of(shape, plan, network, order, team);
  return start ? engine.train(task, *start, pool)
               : engine.train(task, fresh_weights(shape, plan, network, rows, split.train), pool);
}

/// The epochs of one network: order of the rows, learning rate, when to stop. The arithmetic is the engine's.
class NetworkTrainer {
 public:
  NetworkTrainer(const engine::Engine& engine, const net::NetShape& shape, const Plan& plan,
                 std::uint32_t network, const TrainingRows& rows, ThreadPool& pool,
                 const ProgressCallback& progress, const std::optional<TimeSlot>& slot,
                 const Buffer<float>* start, StateStore* store, const group::Group& team)
      : plan_(plan),
        team_(team),
        network_(network),
        split_(rows.split_of(network)),
        validates_(!split_.valid.empty()),
        continues_(start != nullptr),
        order_(order_of(rows, split_, plan, network)),
        engine_(begin(engine, shape, plan, network, rows, split_, *order_, pool, start, team)),
        callback_(progress),
        slot_(slot),
        store_(store),
        validation_lines_(static_cast<double>(split_.valid.size()) * plan.validation_samples) {
    progress_.network = static_cast<int>(network) + 1;
    progress_.networks = plan.networks;
    progress_.epochs = plan.epochs;
    progress_.best_score = std::numeric_limits<double>::infinity();
  }

  /// Takes up what was kept after some step; the steps that follow are those that would have followed.
  void resume(std::span<const std::byte> kept) {
    ByteReader from(kept);
    progress_.epoch = from.take<int>();
    next_step_ = from.take<std::size_t>();
    steps_done_ = from.take<std::size_t>();
    epoch_sum_ = from.take<double>();
    lowest_ = from.take<double>();
    progress_.best_epoch = from.take<int>();
    progress_.best_score = from.take<double>();
    history_.train = from.take_list<double>();
    history_.valid = from.take_list<double>();
    engine_->restore(from.take_list<float>());
    if (!history_.valid.empty()) progress_.valid_score = history_.valid.back();
    if (next_step_ > 0) progress_.train_score = epoch_sum_ / static_cast<double>(batch_begin(next_step_));
    for (int epoch = 0; epoch < progress_.epoch; ++epoch) order_->begin_epoch(epoch);
  }

  TrainedNetwork run() {
    while (!finished_ && progress_.epoch < plan_.epochs) {
      const bool whole = run_epoch();
      if (whole || progress_.epoch == 0 || out_of_time_) close_epoch();
      progress_.finished = finished_ || progress_.epoch == plan_.epochs;
      if ((whole || progress_.finished) && !history_.stopped) report(0);
    }
    history_.best_epoch = progress_.best_epoch;
    return {engine_->best_weights(), std::move(history_)};
  }

 private:
  /// False when the callback, or the end of the time, ended it before the last step.
  bool run_epoch() {
    order_->begin_epoch(progress_.epoch);
    const auto steps = static_cast<std::size_t>(plan_.steps_per_epoch);
    EpochLoss loss{std::exchange(epoch_sum_, 0), next_step_};
    for (std::size_t i = std::exchange(next_step_, 0); i < steps; ++i) {
      const std::size_t begin = batch_begin(i), end = batch_begin(i + 1);
      const auto number = static_cast<std::uint32_t>(steps_done_);
      engine_->step(order_->batch(begin, end), number, next_update());
      if (slot_ && slot_->used() + slot_->share_of(closing_seconds(end)) >= 1) {
        out_of_time_ = finished_ = true;
        take_losses(loss);
        return i + 1 == steps;
      }
      if (store_ && store_->due(kept_)) keep(i + 1, take_losses(loss));
      if (i + 1 < steps && time_to_report(i + 1)) {
        take_losses(loss);
        report(static_cast<double>(i + 1) / static_cast<double>(steps));
        if (finished_) return false;
      }
    }
    take_losses(loss);
    return true;
  }

  /// The losses of an epoch's steps before `step`, times their rows.
  struct EpochLoss {
    double sum;
    std::size_t step;
  };

  /// Adds the losses of the steps since; an engine may be behind with them, and waits here. Gives the sum.
  double take_losses(EpochLoss& loss) {
    for (const double one : engine_->losses()) {
      loss.sum += one * static_cast<double>(batch_begin(loss.step + 1) - batch_begin(loss.step));
      ++loss.step;
    }
    progress_.train_score = loss.sum / static_cast<double>(batch_begin(loss.step));
    return loss.sum;
  }

  /// What the validation at the end of the slot will take: as long as the last one, or, before there was one,
  /// what `rows` of the first epoch lead to expect of a pass forward alone.
  double closing_seconds(std::size_t rows) const {
    if (!validates_ || validation_seconds_ > 0) return validation_seconds_;
    if (progress_.epoch > 0) return 0;
    const double lines = static_cast<double>(rows) * plan_.draws;
    return seconds_since(begun_) * kForwardShare * validation_lines_ / lines;
  }

  /// Batches share the rows evenly, so that none is left out.
  std::size_t batch_begin(std::size_t step) const {
    return order_->size() * step / static_cast<std::size_t>(plan_.steps_per_epoch);
  }

  /// The step the schedule is at: the one before `steps_done_`, or a later one where time runs faster.
  double schedule_place() const {
    const double steps = static_cast<double>(plan_.steps()), by_time = slot_ ? slot_->used() * steps : 0;
    return std::clamp(by_time, static_cast<double>(steps_done_ - 1), steps);
  }

  kernels::AdamStep next_update() {
    const double t = static_cast<double>(++steps_done_);
    kernels::AdamStep step;
    step.rate =
        static_cast<float>(plan::learning_rate(plan_, schedule_place(), static_cast<double>(plan_.steps())));
    step.beta1 = static_cast<float>(plan_.beta1);
    step.beta2 = static_cast<float>(plan_.beta2);
    step.correction1 = static_cast<float>(1.0 - std::pow(plan_.beta1, t));
    step.correction2 = static_cast<float>(1.0 - std::pow(plan_.beta2, t));
    // Short memory at first, so that the starting weights are forgotten.
    step.decay = static_cast<float>(std::min(plan_.averaging, (1.0 + t) / (10.0 + t)));
    return step;
  }

  /// All that the steps to come depend on, `next_step` of this epoch being the first of them. What is the
  /// same in every run, such as the order of the rows, is made again.
  void keep(std::size_t next_step, double sum) {
    ByteWriter to;
    to.add(progress_.epoch);
    to.add(next_step);
    to.add(steps_done_);
    to.add(sum);
    to.add(lowest_);
    to.add(progress_.best_epoch);
    to.add(progress_.best_score);
    to.add_list(std::span<const double>(history_.train));
    to.add_list(std::span<const double>(history_.valid));
    to.add_list(std::span<const float>(engine_->state()));
    store_->save(network_, NetworkStage::kUnderWay, std::move(to.bytes));
    kept_ = Clock::now();
  }

  void close_epoch() {
    ++progress_.epoch;
    const Clock::time_point before = Clock::now();
    progress_.valid_score = validates_ ? engine_->validate() : progress_.train_score;
    if (validates_) validation_seconds_ = seconds_since(before);
    const bool finite = std::isfinite(progress_.valid_score) && std::isfinite(progress_.train_score);
    if (!finite) return give_up();
    history_.train.push_back(progress_.train_score);
    history_.valid.push_back(progress_.valid_score);
    if (worth_keeping()) {
      progress_.best_score = progress_.valid_score;
      progress_.best_epoch = progress_.epoch;
      engine_->keep_best();
    }
    const int since = progress_.epoch - std::max(progress_.best_epoch, plan_.best_from);
    if (plan_.patience > 0 && since >= plan_.patience) finished_ = true;
  }

  /// Early scores can be lucky: until an epoch may be the best, the latest is kept, unless it is clearly
  /// worse than one before.
  bool worth_keeping() {
    lowest_ = std::min(lowest_, progress_.valid_score);
    if (!validates_) return true;
    return progress_.epoch <= plan_.best_from ? progress_.valid_score <= plan::kClearlyWorse * lowest_
                                              : progress_.valid_score < progress_.best_score;
  }

  /// The loss is no number any more: what was best before is kept; without such, there is no model.
  void give_up() {
    if (progress_.best_epoch == 0 && continues_) history_.stopped = true;
    if (progress_.best_epoch == 0 && !continues_)
      group::fail_alike(
          team_,
          fmt::format("training diverged in epoch {} of network {}: lower the learning rate (it is {:g})",
                      progress_.epoch, progress_.network, plan_.learning_rate));
    finished_ = true;
  }

  bool time_to_report(std::size_t step) const {
    return team_.size() == 1 ? Clock::now() - reported_ >= kReportEvery : step % kTeamReportEvery == 0;
  }

  void report(double epoch_share) {
    reported_ = Clock::now();
    progress_.epoch_share = epoch_share;
    if (group::any_of(team_, callback_ && !callback_(progress_))) finished_ = history_.stopped = true;
  }

  const Plan& plan_;
  const group::Group& team_;
  std::uint32_t network_;
  TrainingRows::Split split_;
  bool validates_;
  bool continues_;  ///< from weights that were good already
  std::unique_ptr<RowOrder> order_;
  std::unique_ptr<engine::TrainEngine> engine_;
  const ProgressCallback& callback_;
  const std::optional<TimeSlot>& slot_;
  StateStore* store_;  ///< may be null
  Progress progress_;
  NetworkHistory history_;
  std::size_t steps_done_ = 0;
  std::size_t next_step_ = 0;  ///< of the first epoch to run, and the sum of the losses before it there
  double epoch_sum_ = 0;
  double lowest_ = std::numeric_limits<double>::infinity();  ///< validation score of any epoch
  bool finished_ = false, out_of_time_ = false;
  Clock::time_point reported_ = Clock::now(), begun_ = reported_, kept_ = reported_;
  double validation_lines_;        ///< rows x draws of a validation
  double validation_seconds_ = 0;  ///< of the last one
};

/// What the first process of the team has of the network.
std::optional<KeptState> load_in_team(const group::Group& team, StateStore* store, std::uint32_t network) {
  if (!store) return std::nullopt;
  std::optional<KeptState> kept;
  if (team.rank() == 0) kept = store->load(network);
  if (team.size() == 1) return kept;
  ByteWriter own;
  if (kept) {
    own.add(kept->stage);
    own.add(kept->bytes.data(), kept->bytes.size());
  }
  const std::vector<std::byte> first = team.gather(std::move(own.bytes))[0];
  if (first.empty() || kept) return kept;
  ByteReader from(first);
  const auto stage = from.take<NetworkStage>();
  return KeptState{stage, {first.begin() + sizeof stage, first.end()}};
}

}  // namespace

TrainedNetwork train_network(const net::NetShape& shape, const Plan& plan, std::uint32_t network,
                             const TrainingRows& rows, ThreadPool& pool, const ProgressCallback& progress,
                             const std::optional<TimeSlot>& slot, const Buffer<float>* start,
                             StateStore* store, const engine::Engine& engine, const group::Group& team) {
  const std::optional<KeptState> kept = load_in_team(team, store, network);
  if (team.rank() > 0) store = nullptr;
  if (kept && kept->stage == NetworkStage::kFinished) {
    ByteReader from(kept->bytes);
    return read_network(from);
  }
  NetworkTrainer trainer(engine, shape, plan, network, rows, pool, progress, slot, start, store, team);
  if (kept) trainer.resume(kept->bytes);
  TrainedNetwork trained = trainer.run();
  if (store && !trained.history.stopped) {
    ByteWriter to;
    write_network(trained, to);
    store->save(network, NetworkStage::kFinished, std::move(to.bytes));
  }
  return trained;
}

}  // namespace mirrorball::train
