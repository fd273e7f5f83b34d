#include "train/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/random.h"
#include "train/level_start.h"
#include "train/validation.h"

namespace mirrorball {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double kClearlyWorse = 1.05;
constexpr auto kReportEvery = std::chrono::milliseconds(100);

Buffer<float> copy_of(const Buffer<float>& from) {
  Buffer<float> to(from.size());
  std::copy(from.begin(), from.end(), to.begin());
  return to;
}

Buffer<float> fresh_weights(const NetShape& shape, const NetLayout& layout, const Options& options,
                            std::uint32_t member, const TrainingRows& rows) {
  const Start start{options.init_sd, options.wave_low, options.wave_high,
                    options.damp_waves && member % 2 == 1};
  Buffer<float> weights = initial_weights(shape, layout, start, options.seed, member);
  if (options.order_levels) LevelStart(shape, rows).apply(layout, options.seed, member, weights.data());
  return weights;
}

class MemberTrainer {
 public:
  MemberTrainer(const NetShape& shape, const NetLayout& layout, const Options& options, std::uint32_t member,
                const TrainingRows& rows, ThreadPool& pool, const ProgressCallback& progress,
                const std::optional<TimeSlot>& slot, const Buffer<float>* start)
      : options_(options),
        member_(member),
        rows_(rows),
        plan_(TrainingPlan::make(options, shape, rows.train.size())),
        step_(shape, layout, plan_.noise, plan_.loss, plan_.largest_batch(), pool, plan_.bfloat),
        validation_(shape, layout, options, member, rows, pool),
        validates_(!rows.valid.empty()),
        first_best_(static_cast<int>(std::ceil(options.best_after * static_cast<double>(plan_.epochs)))),
        continues_(start != nullptr),
        weights_(start ? copy_of(*start) : fresh_weights(shape, layout, options, member, rows)),
        mean_(layout.size),
        square_(layout.size),
        average_(options.averaging > 0 ? copy_of(weights_) : Buffer<float>()),
        best_(copy_of(weights_)),
        order_(rows.train),
        callback_(progress),
        slot_(slot) {
    progress_.member = static_cast<int>(member) + 1;
    progress_.members = options.members;
    progress_.epochs = static_cast<int>(plan_.epochs);
    progress_.best_score = std::numeric_limits<double>::infinity();
  }

  TrainedMember run() {
    while (!finished_ && static_cast<std::size_t>(progress_.epoch) < plan_.epochs) {
      const bool whole = run_epoch();
      if (whole || progress_.epoch == 0 || out_of_time_) close_epoch();
      if (whole) report(0);
    }
    history_.best_epoch = progress_.best_epoch;
    return {std::move(best_), std::move(history_)};
  }

 private:
  /// False when the callback, or the end of the time, ended it before the last step.
  bool run_epoch() {
    shuffle();
    double sum = 0;
    for (std::size_t i = 0; i < plan_.steps_per_epoch; ++i) {
      const std::size_t begin = plan_.batch_begin(i), end = plan_.batch_begin(i + 1);
      const auto batch = std::span(order_).subspan(begin, end - begin);
      const TrainStep::Key key{options_.seed, member_, static_cast<std::uint32_t>(steps_done_)};
      sum += step_.gradient(rows_, batch, weights_.data(), key) * static_cast<double>(batch.size());
      step_.update(next_update(), {weights_.data(), mean_.data(), square_.data(), average_.data()});
      progress_.train_score = sum / static_cast<double>(end);
      if (slot_ && slot_->used() >= 1) {
        out_of_time_ = finished_ = true;
        return i + 1 == plan_.steps_per_epoch;
      }
      if (i + 1 < plan_.steps_per_epoch && Clock::now() - reported_ >= kReportEvery) {
        report(static_cast<double>(i + 1) / static_cast<double>(plan_.steps_per_epoch));
        if (finished_) return false;
      }
    }
    return true;
  }

  /// The step the schedule is at: the one before `steps_done_`, or a later one where time runs faster.
  double schedule_place() const {
    const double steps = static_cast<double>(plan_.steps()), by_time = slot_ ? slot_->used() * steps : 0;
    return std::clamp(by_time, static_cast<double>(steps_done_ - 1), steps);
  }

  AdamStep next_update() {
    const double t = static_cast<double>(++steps_done_);
    AdamStep step;
    step.rate =
        static_cast<float>(learning_rate(options_, schedule_place(), static_cast<double>(plan_.steps())));
    step.beta1 = static_cast<float>(options_.beta1);
    step.beta2 = static_cast<float>(options_.beta2);
    step.correction1 = static_cast<float>(1.0 - std::pow(options_.beta1, t));
    step.correction2 = static_cast<float>(1.0 - std::pow(options_.beta2, t));
    // Short memory at first, so that the starting weights are forgotten.
    step.decay = static_cast<float>(std::min(options_.averaging, (1.0 + t) / (10.0 + t)));
    return step;
  }

  /// Fisher-Yates, from the order of the epoch before.
  void shuffle() {
    Stream random(options_.seed, Purpose::kShuffle, member_, static_cast<std::uint32_t>(progress_.epoch));
    for (std::size_t i = order_.size(); i > 1; --i)
      std::swap(order_[i - 1], order_[random.below(static_cast<std::uint32_t>(i))]);
  }

  void close_epoch() {
    ++progress_.epoch;
    const Buffer<float>& current = average_.size() ? average_ : weights_;
    progress_.valid_score = validates_ ? validation_.score(current.data()) : progress_.train_score;
    const bool finite = std::isfinite(progress_.valid_score) && std::isfinite(progress_.train_score);
    if (!finite) return give_up();
    history_.train.push_back(progress_.train_score);
    history_.valid.push_back(progress_.valid_score);
    if (worth_keeping()) {
      progress_.best_score = progress_.valid_score;
      progress_.best_epoch = progress_.epoch;
      std::copy(current.begin(), current.end(), best_.begin());
    }
    const int since = progress_.epoch - std::max(progress_.best_epoch, first_best_);
    if (plan_.patience > 0 && since >= static_cast<int>(plan_.patience)) finished_ = true;
  }

  /// Early scores can be lucky: until an epoch may be the best, the latest is kept, unless it is clearly
  /// worse than one before.
  bool worth_keeping() {
    lowest_ = std::min(lowest_, progress_.valid_score);
    if (!validates_) return true;
    return progress_.epoch <= first_best_ ? progress_.valid_score <= kClearlyWorse * lowest_
                                          : progress_.valid_score < progress_.best_score;
  }

  /// The loss is no number any more: what was best before is kept; without such, there is no model.
  void give_up() {
    if (progress_.best_epoch == 0 && continues_) history_.stopped = true;
    if (progress_.best_epoch == 0 && !continues_)
      system_failure("training diverged in epoch {} of member {}: lower the learning rate (it is {:g})",
                     progress_.epoch, progress_.member, options_.learning_rate);
    finished_ = true;
  }

  void report(double epoch_share) {
    reported_ = Clock::now();
    progress_.epoch_share = epoch_share;
    if (callback_ && !callback_(progress_)) finished_ = history_.stopped = true;
  }

  const Options& options_;
  std::uint32_t member_;
  const TrainingRows& rows_;
  TrainingPlan plan_;
  TrainStep step_;
  Validation validation_;
  bool validates_;
  int first_best_;
  bool continues_;  ///< from weights that were good already
  Buffer<float> weights_, mean_, square_, average_, best_;
  std::vector<std::uint32_t> order_;
  const ProgressCallback& callback_;
  const std::optional<TimeSlot>& slot_;
  Progress progress_;
  MemberHistory history_;
  std::size_t steps_done_ = 0;
  double lowest_ = std::numeric_limits<double>::infinity();  ///< validation score of any epoch
  bool finished_ = false, out_of_time_ = false;
  Clock::time_point reported_ = Clock::now();
};

}  // namespace

TrainedMember train_member(const NetShape& shape, const NetLayout& layout, const Options& options,
                           std::uint32_t member, const TrainingRows& rows, ThreadPool& pool,
                           const ProgressCallback& progress, const std::optional<TimeSlot>& slot,
                           const Buffer<float>* start) {
  return MemberTrainer(shape, layout, options, member, rows, pool, progress, slot, start).run();
}

}  // namespace mirrorball
