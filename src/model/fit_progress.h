#pragma once

#include <vector>

#include "mirrorball/plan.h"
#include "mirrorball/progress.h"
#include "model/fit_clock.h"

namespace mirrorball::model {

/// Makes of the networks' news those of the whole fit: one share that only grows, one time left, one best
/// score. The work is counted in rows that networks train on; that of networks still to come is what the
/// finished ones took.
class FitProgress {
 public:
  FitProgress(const Plan& plan, const FitClock& clock, const ProgressCallback& callback);

  /// The forest and the calibration are told of when they begin.
  void forest();
  void calibration();
  /// For the networks' training, and then for their refit. Empty where nobody listens.
  ProgressCallback training();
  ProgressCallback refit();

 private:
  struct Network {
    double epochs = 0;
    int best_epoch = 0;
    bool finished = false;
  };

  bool tell(const Progress& now, FitPhase phase);
  bool told(Progress now, FitPhase phase, double seconds_left);
  double epochs_to_come(const Network& network) const;
  double refit_work() const;
  double calibration_work() const;
  double seconds_left(double work_left) const;

  const Plan& plan_;
  const FitClock& clock_;
  const ProgressCallback& callback_;
  std::vector<Network> trained_, refitted_;
  double phase_begin_ = 0, phase_work_ = 0;  ///< when the phase began, and the work done in it
  double speed_ = 0;                         ///< work a second, of the phase before
  double share_ = 0, lowest_;
};

}  // namespace mirrorball::model
