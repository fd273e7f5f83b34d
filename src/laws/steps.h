#pragma once

#include <span>

namespace mirrorball::laws {

/// What lies between the distribution functions F and G of two samples.
struct StepIntegrals {
  double absolute = 0;  ///< ∫|F − G|, Wasserstein-1
  double squared = 0;   ///< ∫(F − G)², half the squared energy distance
};

/// Exact, from samples in ascending order, at least one value each.
StepIntegrals step_integrals(std::span<const double> a, std::span<const double> b);

}  // namespace mirrorball::laws
