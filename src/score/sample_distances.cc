#include "score/sample_distances.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "score/cells.h"
#include "score/plane.h"
#include "score/steps.h"

namespace mirrorball {
namespace {

struct Range {
  double low, high;

  /// Which of `cells` equal parts holds y; the last one is closed at its end.
  std::size_t cell(double y, std::size_t cells) const {
    if (!(high > low)) return 0;
    const auto place = static_cast<std::size_t>((y - low) / (high - low) * static_cast<double>(cells));
    return std::min(place, cells - 1);
  }
};

Range common_range(std::span<const double> a, std::span<const double> b) {
  const auto [a_low, a_high] = std::minmax_element(a.begin(), a.end());
  const auto [b_low, b_high] = std::minmax_element(b.begin(), b.end());
  return {std::min(*a_low, *b_low), std::max(*a_high, *b_high)};
}

std::vector<double> cell_shares(const Points& points, const std::vector<Range>& ranges, std::size_t cells) {
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

std::vector<double> sorted(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  std::sort(copy.begin(), copy.end());
  return copy;
}

}  // namespace

Distances sample_distances(const Points& a, const Points& b, std::size_t cells) {
  std::vector<Range> ranges;
  for (std::size_t k = 0; k < a.dims(); ++k) ranges.push_back(common_range(a.column(k), b.column(k)));
  Distances out;
  cell_distances(cell_shares(a, ranges, cells), cell_shares(b, ranges, cells), out);
  if (a.dims() == 1) {
    const StepIntegrals between = step_integrals(sorted(a.column(0)), sorted(b.column(0)));
    out.wasserstein = between.absolute;
    out.energy = std::sqrt(2 * between.squared);
  } else {
    out.wasserstein = sliced_wasserstein(a, b);
    out.energy = energy_distance(a, b);
  }
  return out;
}

}  // namespace mirrorball
