#pragma once

#include <vector>

#include "report/forecasts.h"

namespace mirrorball::report {

/// The expected CRPS of a target's forecasts in its two parts, over all rows and over groups of them.
struct Disagreement {
  struct Mean {
    std::size_t rows = 0;
    double aleatoric = 0, epistemic = 0;
    double crps = 0;  ///< the actual one, where outcomes are known
  };
  Mean all;
  /// Rows in up to five groups of equal size, from those where the networks agree most.
  std::vector<Mean> groups;
};

Disagreement disagreement(const Forecasts& all, std::size_t target);

}  // namespace mirrorball::report
