#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "base/order_statistics.h"
#include "laws/cells.h"
#include "laws/known_law.h"
#include "laws/plane.h"
#include "laws/steps.h"

namespace mirrorball::laws {
namespace {

struct CutRange {
  double low, high;

  /// Which of `cells` equal parts holds y; the last one is closed at its end.
  std::size_t cell(double y, std::size_t cells) const {
    if (!(high > low)) return 0;
    const auto place = static_cast<std::size_t>((y - low) / (high - low) * static_cast<double>(cells));
    return std::min(place, cells - 1);
  }
};

CutRange common_range(std::span<const double> a, std::span<const double> b) {
  const auto [a_low, a_high] = std::minmax_element(a.begin(), a.end());
  const auto [b_low, b_high] = std::minmax_element(b.begin(), b.end());
  return {std::min(*a_low, *b_low), std::max(*a_high, *b_high)};
}

std::vector<double> cell_shares(const scoring::Points& points, const std::vector<CutRange>& ranges,
                                std::size_t cells) {
  std::vector<double> shares(points.dims() == 1 ? cells : cells * cells);
  const double share = 1 / static_cast<double>(points.count());
  for (std::size_t i = 0; i < points.count(); ++i) {
    std::size_t cell = 0;
    for (std::size_t k = 0; k < points.dims(); ++k)
      cell = cell * cells + ranges[k].cell(points.column(k)[i], cells);
    shares[cell] += share;
  }
  return shares;
}

/// On the line, √(2 ∫(F − G)²) is the energy distance.
void line_distances(const scoring::Points& a, const scoring::Points& b, Distances& out) {
  const StepIntegrals between = step_integrals(sorted_copy(a.column(0)), sorted_copy(b.column(0)));
  out.wasserstein = between.absolute;
  out.energy = std::sqrt(2 * between.squared);
}

}  // namespace
}  // namespace mirrorball::laws

namespace mirrorball {

Distances sample_distances(std::span<const double> a, std::span<const double> b, std::size_t targets,
                           std::size_t cells) {
  using namespace laws;
  if (targets != 1 && targets != 2)
    bad_input("distances support 1 or 2 targets, but the samples have {}: compare the targets one by one",
              targets);
  if (cells == 0) bad_input("0 cells: use at least 1");
  check_joint_draws(a, targets);
  check_joint_draws(b, targets);
  const scoring::Points first = scoring::to_columns(a, targets), second = scoring::to_columns(b, targets);
  std::vector<CutRange> ranges;
  for (std::size_t k = 0; k < targets; ++k) ranges.push_back(common_range(first.column(k), second.column(k)));
  Distances out;
  cell_distances(cell_shares(first, ranges, cells), cell_shares(second, ranges, cells), out);
  if (targets == 1) {
    line_distances(first, second, out);
  } else {
    out.wasserstein = sliced_wasserstein(first, second);
    out.energy = energy_distance(first, second);
  }
  return out;
}

}  // namespace mirrorball
