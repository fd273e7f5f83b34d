#pragma once

#include <deque>
#include <vector>

#include "mirrorball/plan.h"
#include "mirrorball/progress.h"
#include "model/experts.h"
#include "model/fit_clock.h"

namespace mirrorball::model {

/// Makes of the networks' news, and of what the experts' watches show, those of the whole fit: one share that
/// only grows, one time left, one best score. The work is counted in rows that networks of the default shape
/// train on; that of networks still to come is what the finished ones took.
class FitProgress {
 public:
  /// `one_machine`: the same threads fit networks and experts, so that the work of both takes its time.
  FitProgress(const Plan& plan, const FitClock& clock, const ProgressCallback& callback,
              const std::deque<ExpertWork>& experts, bool one_machine = true);

  /// The calibration is told of when it begins.
  void calibration();
  /// For experts alone; for the networks' training, beside which experts may be fitted; then for their refit.
  /// Empty where nobody listens.
  ProgressCallback experts();
  ProgressCallback training();
  ProgressCallback refit();

 private:
  struct Network {
    double epochs = 0;
    int best_epoch = 0;
    bool finished = false;
  };

  bool tell_training(const Progress& now);
  bool tell_refit(const Progress& now);
  bool told(Progress now, FitPhase phase, double seconds_left);
  double epochs_to_come(const Network& network) const;
  double experts_done() const;
  double experts_left() const;
  double networks_done(const std::vector<Network>& networks, double rows) const;
  double networks_left() const;
  double refit_work() const;
  double calibration_work() const;
  double fit_seconds_left() const;
  double within_limit(double seconds) const;

  const Plan& plan_;
  const FitClock& clock_;
  const ProgressCallback& callback_;
  const std::deque<ExpertWork>& experts_;
  const bool one_machine_;
  std::vector<Network> trained_, refitted_;
  double begin_;  ///< of all
  double refit_begin_ = 0;
  double speed_ = 0;  ///< work a second, of experts and networks
  double share_ = 0, lowest_;
};

}  // namespace mirrorball::model
