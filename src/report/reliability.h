#pragma once

#include <vector>

#include "report/chance.h"
#include "report/forecasts.h"

namespace mirrorball::report {

/// Whether the 90% intervals of a target cover as many outcomes as they say; kExact: they do without any
/// width.
enum class Promise { kKept, kTooNarrow, kTooWide, kExact };

/// Whether a target's forecasts keep their promises, over rows whose outcomes are known.
struct Reliability {
  Promise promise = Promise::kKept;
  std::vector<Band> interval_bands;  ///< where the coverage of each central interval lies by chance
  std::vector<double> pit;           ///< share of rows per equal bin of the PIT
  Band pit_band;                     ///< where a share lies by chance
  std::vector<double> level, below;  ///< share of outcomes at or below the forecast's quantile of that level
  std::vector<Band> band;            ///< where that share lies by chance
  double bias = 0, bias_error = 0;   ///< mean of outcome - forecast mean, and its standard error
  /// Rows in ten groups by forecast deviation: its root mean square and that of the errors. A forecast that
  /// knows what it does not know has the two alike.
  std::vector<double> spread, error;
};

Reliability reliability(const Forecasts& all, std::size_t target);

}  // namespace mirrorball::report
