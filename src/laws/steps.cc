#include "laws/steps.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace mirrorball::laws {

// Both functions are constant between neighbours of the merged samples.
StepIntegrals step_integrals(std::span<const double> a, std::span<const double> b) {
  StepIntegrals sums;
  double before = std::min(a[0], b[0]);
  for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    const bool from_a = j == b.size() || (i < a.size() && a[i] <= b[j]);
    const double here = from_a ? a[i] : b[j];
    const double f = static_cast<double>(i) / static_cast<double>(a.size());
    const double g = static_cast<double>(j) / static_cast<double>(b.size());
    sums.absolute += std::abs(f - g) * (here - before);
    sums.squared += (f - g) * (f - g) * (here - before);
    before = here;
    ++(from_a ? i : j);
  }
  return sums;
}

}  // namespace mirrorball::laws
