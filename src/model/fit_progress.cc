#include "model/fit_progress.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "plan/rules.h"

namespace mirrorball::model {
namespace {

/// A phase's own speed counts from this many seconds on: the first rows of a fit also pay for its threads and
/// its memory.
constexpr double kFirstSeconds = 0.5;
/// A held-out row's samples and the choice of a calibration by it take about as long as training on so many
/// rows with the default options.
constexpr double kCalibrationRow = 40;

}  // namespace

FitProgress::FitProgress(const Plan& plan, const FitClock& clock, const ProgressCallback& callback)
    : plan_(plan),
      clock_(clock),
      callback_(callback),
      trained_(static_cast<std::size_t>(plan.networks)),
      refitted_(trained_.size()),
      lowest_(std::numeric_limits<double>::infinity()) {}

void FitProgress::forest() {
  if (callback_ && plan_.trees > 0) told({}, FitPhase::kForest, -1);
}

ProgressCallback FitProgress::training() {
  if (!callback_) return {};
  phase_begin_ = clock_.elapsed();
  return [this](const Progress& now) { return tell(now, FitPhase::kTraining); };
}

void FitProgress::calibration() {
  if (!callback_) return;
  const double seconds = clock_.elapsed() - phase_begin_;
  if (seconds > 0) speed_ = phase_work_ / seconds;
  phase_begin_ = clock_.elapsed();
  phase_work_ = 0;
  if (plan_.calibration_rows + plan_.interval_rows > 0)
    told({}, FitPhase::kCalibration, seconds_left(calibration_work() + refit_work()));
}

ProgressCallback FitProgress::refit() {
  if (!callback_) return {};
  phase_begin_ = clock_.elapsed();
  return [this](const Progress& now) { return tell(now, FitPhase::kRefit); };
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
         static_cast<double>(trained_.size());
}

double FitProgress::calibration_work() const {
  return kCalibrationRow * static_cast<double>(plan_.calibration_rows + plan_.interval_rows);
}

double FitProgress::seconds_left(double work_left) const {
  const double seconds = clock_.elapsed() - phase_begin_;
  const double speed = seconds < kFirstSeconds ? speed_ : phase_work_ / seconds;
  if (!(speed > 0)) return -1;
  const double left = work_left / speed;
  return clock_.limited() ? std::clamp(clock_.limit() - clock_.elapsed(), 0.0, left) : left;
}

bool FitProgress::tell(const Progress& now, FitPhase phase) {
  const bool refit = phase == FitPhase::kRefit;
  std::vector<Network>& networks = refit ? refitted_ : trained_;
  Network& own = networks[static_cast<std::size_t>(now.network - 1)];
  own.epochs = now.epoch + now.epoch_share;
  own.best_epoch = now.best_epoch;
  own.finished = own.finished || now.finished;
  double done = 0, left = 0;
  for (const Network& network : networks) {
    done += network.epochs;
    left += network.finished ? 0
            : refit          ? std::max(now.epochs - network.epochs, 0.0)
                             : epochs_to_come(network);
  }
  const double rows =
      static_cast<double>(refit ? plan_.training_rows + plan_.validation_rows : plan_.training_rows);
  phase_work_ = done * rows;
  if (!refit && now.best_epoch > 0) lowest_ = std::min(lowest_, now.best_score);
  return told(now, phase, seconds_left(left * rows + (refit ? 0 : calibration_work() + refit_work())));
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
