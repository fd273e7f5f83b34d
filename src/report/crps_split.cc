#include "report/crps_split.h"

#include <algorithm>

namespace mirrorball::report {

void CrpsSplit::add(std::span<const double> sorted, double y) {
  const std::size_t m = sorted.size();
  for (std::size_t i = 1; i < m; ++i) {
    const double split = std::clamp(y, sorted[i - 1], sorted[i]);
    const double below = split - sorted[i - 1], above = sorted[i] - split;
    const double p = static_cast<double>(i) / static_cast<double>(m);
    Steps& steps = classes_[i * kClasses / m];
    steps.below += below;
    steps.above += above;
    steps.weighted += (below + above) * p;
    crps_ += below * p * p + above * (1 - p) * (1 - p);
  }
  const double before = std::max(0.0, sorted[0] - y), behind = std::max(0.0, y - sorted[m - 1]);
  before_ += before;
  behind_ += behind;
  crps_ += before + behind;
  under_all_ += y < sorted[0];
  over_all_ += y > sorted[m - 1];
  rows_ += 1;
}

void CrpsSplit::add(const CrpsSplit& other) {
  for (std::size_t k = 0; k < kClasses; ++k) {
    classes_[k].below += other.classes_[k].below;
    classes_[k].above += other.classes_[k].above;
    classes_[k].weighted += other.classes_[k].weighted;
  }
  crps_ += other.crps_;
  before_ += other.before_;
  behind_ += other.behind_;
  rows_ += other.rows_;
  under_all_ += other.under_all_;
  over_all_ += other.over_all_;
}

CrpsSplit::Parts CrpsSplit::parts() const {
  Parts parts;
  if (rows_ == 0) return parts;
  for (const Steps& steps : classes_) {
    const double g = steps.below + steps.above;
    if (!(g > 0)) continue;
    const double off = (steps.above - steps.weighted) / g;
    parts.calibration += g * off * off / rows_;
  }
  // Outside all samples only the outcomes give a length; the step is as long as they make it in their share
  // o, and g o² is that length times o.
  parts.calibration += (before_ * under_all_ + behind_ * over_all_) / (rows_ * rows_);
  parts.sharpness = std::max(0.0, crps_ / rows_ - parts.calibration);
  return parts;
}

}  // namespace mirrorball::report
