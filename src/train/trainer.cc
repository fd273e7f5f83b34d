#include "train/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/random.h"
#include "engine/engine.h"
#include "plan/rules.h"
#include "train/category_start.h"

namespace mirrorball::train {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double kClearlyWorse = 1.05;
constexpr auto kReportEvery = std::chrono::milliseconds(100);

engine::TrainTask task_of(const net::NetShape& shape, const Plan& plan, std::uint32_t network,
                          const TrainingRows& rows) {
  const auto size = [](int n) { return static_cast<std::size_t>(n); };
  engine::TrainTask task;
  task.shape = shape;
  task.seed = plan.seed;
  task.network = network;
  task.noise = {size(plan.draws), plan.stratified, size(plan.noise_table)};
  task.loss = kernels::EnergyScore::make(task.noise.draws, shape.targets, plan.alpha, plan.fair);
  task.loss.strata = plan.stratified && shape.noise_dim == 1 && plan.draws > 1 && plan.alpha == 1;
  task.largest_batch = size(plan.batch);
  task.bfloat = plan.precision == Precision::kBfloat16;
  task.averages = plan.averaging > 0;
  task.validation_draws = size(plan.validation_draws);
  task.rows = &rows;
  task.validation = rows.valid;
  return task;
}

Buffer<float> fresh_weights(const net::NetShape& shape, const Plan& plan, std::uint32_t network,
                            const TrainingRows& rows) {
  const net::NetLayout layout(shape);
  const net::Start start{plan.init_sd, plan.wave_low, plan.wave_high, plan.damp_waves && network % 2 == 1};
  Buffer<float> weights = net::initial_weights(shape, layout, start, plan.seed, network);
  if (plan.order_categories) CategoryStart(shape, rows).apply(layout, plan.seed, network, weights.data());
  return weights;
}

std::unique_ptr<engine::TrainEngine> begin(const net::NetShape& shape, const Plan& plan,
                                           std::uint32_t network, const TrainingRows& rows, ThreadPool& pool,
                                           const Buffer<float>* start) {
  const engine::TrainTask task = task_of(shape, plan, network, rows);
  return start ? engine::default_engine().train(task, *start, pool)
               : engine::default_engine().train(task, fresh_weights(shape, plan, network, rows), pool);
}

/// The epochs of one network: order of the rows, learning rate, when to stop. The arithmetic is the engine's.
class NetworkTrainer {
 public:
  NetworkTrainer(const net::NetShape& shape, const Plan& plan, std::uint32_t network,
                 const TrainingRows& rows, ThreadPool& pool, const ProgressCallback& progress,
                 const std::optional<TimeSlot>& slot, const Buffer<float>* start)
      : plan_(plan),
        network_(network),
        validates_(!rows.valid.empty()),
        continues_(start != nullptr),
        engine_(begin(shape, plan, network, rows, pool, start)),
        order_(rows.train),
        callback_(progress),
        slot_(slot) {
    progress_.network = static_cast<int>(network) + 1;
    progress_.networks = plan.networks;
    progress_.epochs = plan.epochs;
    progress_.best_score = std::numeric_limits<double>::infinity();
  }

  TrainedNetwork run() {
    while (!finished_ && progress_.epoch < plan_.epochs) {
      const bool whole = run_epoch();
      if (whole || progress_.epoch == 0 || out_of_time_) close_epoch();
      if (whole) report(0);
    }
    history_.best_epoch = progress_.best_epoch;
    return {engine_->best_weights(), std::move(history_)};
  }

 private:
  /// False when the callback, or the end of the time, ended it before the last step.
  bool run_epoch() {
    shuffle();
    double sum = 0;
    const auto steps = static_cast<std::size_t>(plan_.steps_per_epoch);
    for (std::size_t i = 0; i < steps; ++i) {
      const std::size_t begin = batch_begin(i), end = batch_begin(i + 1);
      const auto batch = std::span(order_).subspan(begin, end - begin);
      const auto number = static_cast<std::uint32_t>(steps_done_);
      sum += engine_->step(batch, number, next_update()) * static_cast<double>(batch.size());
      progress_.train_score = sum / static_cast<double>(end);
      if (slot_ && slot_->used() >= 1) {
        out_of_time_ = finished_ = true;
        return i + 1 == steps;
      }
      if (i + 1 < steps && Clock::now() - reported_ >= kReportEvery) {
        report(static_cast<double>(i + 1) / static_cast<double>(steps));
        if (finished_) return false;
      }
    }
    return true;
  }

  /// Batches share the rows evenly, so that none is left out.
  std::size_t batch_begin(std::size_t step) const {
    return order_.size() * step / static_cast<std::size_t>(plan_.steps_per_epoch);
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

  /// Fisher-Yates, from the order of the epoch before.
  void shuffle() {
    Stream random(plan_.seed, Purpose::kShuffle, network_, static_cast<std::uint32_t>(progress_.epoch));
    for (std::size_t i = order_.size(); i > 1; --i)
      std::swap(order_[i - 1], order_[random.below(static_cast<std::uint32_t>(i))]);
  }

  void close_epoch() {
    ++progress_.epoch;
    progress_.valid_score = validates_ ? engine_->validate() : progress_.train_score;
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
    return progress_.epoch <= plan_.best_from ? progress_.valid_score <= kClearlyWorse * lowest_
                                              : progress_.valid_score < progress_.best_score;
  }

  /// The loss is no number any more: what was best before is kept; without such, there is no model.
  void give_up() {
    if (progress_.best_epoch == 0 && continues_) history_.stopped = true;
    if (progress_.best_epoch == 0 && !continues_)
      system_failure("training diverged in epoch {} of network {}: lower the learning rate (it is {:g})",
                     progress_.epoch, progress_.network, plan_.learning_rate);
    finished_ = true;
  }

  void report(double epoch_share) {
    reported_ = Clock::now();
    progress_.epoch_share = epoch_share;
    if (callback_ && !callback_(progress_)) finished_ = history_.stopped = true;
  }

  const Plan& plan_;
  std::uint32_t network_;
  bool validates_;
  bool continues_;  ///< from weights that were good already
  std::unique_ptr<engine::TrainEngine> engine_;
  std::vector<rows::RowNumber> order_;
  const ProgressCallback& callback_;
  const std::optional<TimeSlot>& slot_;
  Progress progress_;
  NetworkHistory history_;
  std::size_t steps_done_ = 0;
  double lowest_ = std::numeric_limits<double>::infinity();  ///< validation score of any epoch
  bool finished_ = false, out_of_time_ = false;
  Clock::time_point reported_ = Clock::now();
};

}  // namespace

TrainedNetwork train_network(const net::NetShape& shape, const Plan& plan, std::uint32_t network,
                             const TrainingRows& rows, ThreadPool& pool, const ProgressCallback& progress,
                             const std::optional<TimeSlot>& slot, const Buffer<float>* start) {
  return NetworkTrainer(shape, plan, network, rows, pool, progress, slot, start).run();
}

}  // namespace mirrorball::train
