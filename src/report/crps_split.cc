#include "report/crps_split.h"

#include <algorithm>
#include <cmath>

namespace mirrorball::report {

void CrpsSplit::add(std::span<const double> sorted, double y) {
  const std::size_t m = sorted.size();
  for (std::size_t i = 1; i < m; ++i) {
    const double split = std::clamp(y, sorted[i - 1], sorted[i]);
    below_[i] += split - sorted[i - 1];
    above_[i] += sorted[i] - split;
  }
  above_[0] += std::max(0.0, sorted[0] - y);
  below_[m] += std::max(0.0, y - sorted[m - 1]);
  under_all_ += y < sorted[0];
  over_all_ += y > sorted[m - 1];
  rows_ += 1;
}

void CrpsSplit::add(const CrpsSplit& other) {
  for (std::size_t i = 0; i < below_.size(); ++i) {
    below_[i] += other.below_[i];
    above_[i] += other.above_[i];
  }
  rows_ += other.rows_;
  under_all_ += other.under_all_;
  over_all_ += other.over_all_;
}

CrpsSplit::Parts CrpsSplit::parts() const {
  Parts parts;
  if (rows_ == 0) return parts;
  const std::size_t m = below_.size() - 1;
  const auto add_step = [&](double g, double o, double p) {
    parts.calibration += g * (o - p) * (o - p) / rows_;
    parts.sharpness += g * o * (1 - o) / rows_;
  };
  for (std::size_t i = 1; i < m; ++i) {
    const double g = below_[i] + above_[i];
    if (g > 0) add_step(g, above_[i] / g, static_cast<double>(i) / static_cast<double>(m));
  }
  // Outside all draws only the outcomes give a length; the step is as long as they make it in their share.
  if (under_all_ > 0) add_step(above_[0] * rows_ / under_all_, under_all_ / rows_, 0);
  if (over_all_ > 0) add_step(below_[m] * rows_ / over_all_, 1 - over_all_ / rows_, 1);
  return parts;
}

}  // namespace mirrorball::report
