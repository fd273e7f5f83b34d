#pragma once

#include <span>
#include <vector>

#include "base/watch.h"
#include "process/kernel.h"

namespace mirrorball::process {

/// Values observed at points, with mean 0 and weights above 0.
struct Observations {
  Points points;
  std::vector<double> values, weights;

  Observations chosen(std::span<const std::size_t> places) const;
};

/// Minus the log of the likelihood of the observations times the prior of the kernel, but for a constant, and
/// its slope by each parameter of the kernel.
struct Misfit {
  double value = 0;
  std::vector<double> slope;
};
Misfit misfit(const Observations& observations, const Kernel& kernel);

/// Goes so many steps from `start` towards a lower misfit, fewer where time is over, and returns the best
/// kernel met. The steps are so large a share of what is watched.
Kernel fit_kernel(const Observations& observations, const Kernel& start, int steps,
                  const WorkTime& time = WorkTime(0), double share = 1);

}  // namespace mirrorball::process
