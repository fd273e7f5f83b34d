#pragma once

#include <vector>

#include "report/forecasts.h"
#include "score/chance.h"

namespace mirrorball::report {

/// What is drawn beside the verdict on a target's calibration (TargetScores::calibration).
struct Reliability {
  std::vector<double> pit;          ///< share of rows per equal bin of the PIT, ties split at random
  scoring::Band pit_band;           ///< where all of these shares lie together in 95% of cases
  double bias = 0, bias_error = 0;  ///< mean of outcome - forecast mean, and its standard error
  /// Rows in ten groups by forecast deviation: its root mean square and that of the errors. A forecast that
  /// knows what it does not know has the two alike.
  std::vector<double> spread, error;
};

Reliability reliability(const Forecasts& all, std::size_t target);

}  // namespace mirrorball::report
