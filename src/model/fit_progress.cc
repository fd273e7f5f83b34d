#include "model/fit_progress.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "plan/rules.h"

namespace mirrorball::model {
namespace {

/// A speed counts from this many seconds on: the first rows of a fit also pay for its threads and its memory.
constexpr double kFirstSeconds = 0.5;
/// A held-out row's samples and the choice of a calibration by it take about as long as training on so many
/// rows with the default options.
constexpr double kCalibrationRow = 90;
/// Of a row's training, what does not grow with the network.
constexpr double kRowItself = 0.2;

/// What training on a row takes, where the default network takes 1.
double row_work(const Plan& plan) {
  const Plan usual;
  const auto products = [](const Plan& of) {
    return static_cast<double>(of.draws) * of.layers * of.width * of.width;
  };
  return kRowItself + (1 - kRowItself) * products(plan) / products(usual);
}

}  // namespace

FitProgress::FitProgress(const Plan& plan, const FitClock& clock, const ProgressCallback& callback,
                         const std::deque<ExpertWork>& experts, bool one_machine)
    : plan_(plan),
      clock_(clock),
      callback_(callback),
      experts_(experts),
      one_machine_(one_machine),
      trained_(static_cast<std::size_t>(plan.networks)),
      refitted_(trained_.size()),
      begin_(clock.elapsed()),
      lowest_(std::numeric_limits<double>::infinity()) {}

ProgressCallback FitProgress::experts() {
  if (!callback_) return {};
  return [this](const Progress& now) { return told(now, FitPhase::kForest, fit_seconds_left()); };
}

ProgressCallback FitProgress::training() {
  if (!callback_) return {};
  return [this](const Progress& now) { return tell_training(now); };
}

void FitProgress::calibration() {
  if (!callback_) return;
  const double seconds = clock_.elapsed() - begin_;
  const double done = experts_done() + networks_done(trained_, static_cast<double>(plan_.training_rows));
  if (seconds > 0) speed_ = done / seconds;
  if (speed_ > 0 && plan_.calibration_rows + plan_.interval_rows > 0)
    told({}, FitPhase::kCalibration, within_limit((calibration_work() + refit_work()) / speed_));
}

ProgressCallback FitProgress::refit() {
  if (!callback_) return {};
  refit_begin_ = clock_.elapsed();
  return [this](const Progress& now) { return tell_refit(now); };
}

double FitProgress::experts_done() const {
  double done = 0;
  for (const ExpertWork& expert : experts_) done += expert.work * std::min(1.0, expert.watch.done.load());
  return done;
}

double FitProgress::experts_left() const {
  double work = 0;
  for (const ExpertWork& expert : experts_) work += expert.work;
  return work - experts_done();
}

/// In epochs of so many rows.
double FitProgress::networks_done(const std::vector<Network>& networks, double rows) const {
  double done = 0;
  for (const Network& network : networks) done += network.epochs;
  return done * rows * row_work(plan_);
}

double FitProgress::networks_left() const {
  double left = 0;
  for (const Network& network : trained_) left += network.finished ? 0 : epochs_to_come(network);
  return left * static_cast<double>(plan_.training_rows) * row_work(plan_);
}

/// Of a network that has not finished: as many as the finished ones had. Before there are any, half way
/// between the earliest end that is still possible and the last; but the longer its score has not improved,
/// the likelier is the earliest.
double FitProgress::epochs_to_come(const Network& network) const {
  double sum = 0, count = 0;
  for (const Network& one : trained_)
    if (one.finished) {
      sum += one.epochs;
      ++count;
    }
  const double last = plan_.epochs;
  if (plan_.patience <= 0) return std::max(last - network.epochs, 0.0);
  const double waits_from = std::max(network.best_epoch, plan_.best_from);
  const double earliest = std::min(last, waits_from + plan_.patience);
  const double waited = std::clamp((network.epochs - waits_from) / plan_.patience, 0.0, 1.0);
  const double usual = std::max(count > 0 ? sum / count : (earliest + last) / 2, earliest);
  return std::max(waited * earliest + (1 - waited) * usual - network.epochs, 0.0);
}

/// Rows that all networks will be refitted on, each as often as its epochs.
double FitProgress::refit_work() const {
  if (!plan_.refit) return 0;
  double best = 0;
  for (const Network& network : trained_)
    best += network.best_epoch > 0 ? network.best_epoch : std::max(1, plan_.epochs - plan_.patience);
  const Plan again = plan::refit_plan(plan_, best / static_cast<double>(trained_.size()));
  return static_cast<double>(again.epochs) * static_cast<double>(again.training_rows) *
         static_cast<double>(trained_.size()) * row_work(plan_);
}

double FitProgress::calibration_work() const {
  return kCalibrationRow * static_cast<double>(plan_.calibration_rows + plan_.interval_rows);
}

/// While experts and networks are fitted; below 0 before there is a speed to tell it from.
double FitProgress::fit_seconds_left() const {
  const double seconds = clock_.elapsed() - begin_;
  const double networks = networks_done(trained_, static_cast<double>(plan_.training_rows)),
               done = experts_done() + networks;
  if (seconds < kFirstSeconds || !(done > 0)) return -1;
  const double later = calibration_work() + refit_work();
  if (one_machine_) return within_limit((experts_left() + networks_left() + later) * seconds / done);
  if (!(networks > 0)) return -1;
  const double own = experts_done() > 0 ? experts_left() * seconds / experts_done() : 0;
  return within_limit(std::max(own, networks_left() * seconds / networks) + later * seconds / done);
}

double FitProgress::within_limit(double seconds) const {
  return clock_.limited() ? std::clamp(clock_.limit() - clock_.elapsed(), 0.0, seconds) : seconds;
}

/// News of a network, or, for network 0, that time has passed.
bool FitProgress::tell_training(const Progress& now) {
  if (now.network > 0) {
    Network& own = trained_[static_cast<std::size_t>(now.network - 1)];
    own.epochs = now.epoch + now.epoch_share;
    own.best_epoch = now.best_epoch;
    own.finished = own.finished || now.finished;
    if (now.best_epoch > 0) lowest_ = std::min(lowest_, now.best_score);
  }
  const bool under_way = std::ranges::any_of(
      trained_, [](const Network& network) { return network.epochs > 0 && !network.finished; });
  return told(now, now.network > 0 || under_way ? FitPhase::kTraining : FitPhase::kForest,
              fit_seconds_left());
}

bool FitProgress::tell_refit(const Progress& now) {
  Network& own = refitted_[static_cast<std::size_t>(now.network - 1)];
  own.epochs = now.epoch + now.epoch_share;
  own.finished = own.finished || now.finished;
  double left = 0;
  for (const Network& network : refitted_)
    left += network.finished ? 0 : std::max(now.epochs - network.epochs, 0.0);
  const double rows = static_cast<double>(plan_.training_rows + plan_.validation_rows),
               seconds = clock_.elapsed() - refit_begin_;
  const double speed = seconds < kFirstSeconds ? speed_ : networks_done(refitted_, rows) / seconds;
  return told(now, FitPhase::kRefit, speed > 0 ? within_limit(left * rows * row_work(plan_) / speed) : -1);
}

/// The news with what is known of the whole fit.
bool FitProgress::told(Progress now, FitPhase phase, double seconds_left) {
  if (seconds_left >= 0) {
    const double elapsed = clock_.elapsed();
    share_ = std::max(share_, elapsed / std::max(elapsed + seconds_left, 1e-9));
  }
  now.phase = phase;
  now.share = share_;
  now.seconds_left = seconds_left;
  now.lowest_score = std::isfinite(lowest_) ? lowest_ : 0;
  now.networks = plan_.networks;
  return callback_(now);
}

}  // namespace mirrorball::model
