#include "laws/line_law.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/order_statistics.h"
#include "laws/cells.h"

namespace mirrorball::laws {
namespace {

constexpr double kCellWidth = 0.05;
constexpr std::size_t kSteps = 2048;

/// Adds ∫|D| and ∫D² over a step of width h on which D runs straight from u to v.
///   ∫D² = h (u² + u v + v²)/3;  ∫|D| = h |u + v|/2, or with a change of sign h (u² + v²)/(2 |u − v|)
void integrate(double u, double v, double h, double& absolute, double& squared) {
  squared += h * (u * u + u * v + v * v) / 3;
  absolute += u * v < 0 ? h * (u * u + v * v) / (2 * std::abs(u - v)) : h * std::abs(u + v) / 2;
}

/// ∫|F − G| and √(2 ∫(F − G)²). G is constant between neighbouring draws, F as good as straight between
/// neighbours among the draws and the steps over the law's mass.
void integral_distances(const std::function<double(double)>& cdf, Range mass, std::span<const double> sorted,
                        Distances& out) {
  std::vector<double> steps(kSteps + 1), places;
  for (std::size_t i = 0; i <= kSteps; ++i)
    steps[i] = mass.low + (mass.high - mass.low) * static_cast<double>(i) / kSteps;
  std::merge(sorted.begin(), sorted.end(), steps.begin(), steps.end(), std::back_inserter(places));
  double absolute = 0, squared = 0, f = cdf(places[0]);
  std::size_t below = 0;
  for (std::size_t i = 0; i + 1 < places.size(); ++i) {
    while (below < sorted.size() && sorted[below] <= places[i]) ++below;
    const double g = static_cast<double>(below) / static_cast<double>(sorted.size());
    const double next = cdf(places[i + 1]);
    integrate(f - g, next - g, places[i + 1] - places[i], absolute, squared);
    f = next;
  }
  out.wasserstein = absolute;
  out.energy = std::sqrt(2 * squared);
}

/// Probabilities of the cells from the values of a distribution function at their inner edges.
template <class Cdf>
std::vector<double> cell_probabilities(Range cells, const Cdf& cdf) {
  const auto count = static_cast<std::size_t>(std::lround((cells.high - cells.low) / kCellWidth));
  std::vector<double> probabilities(count);
  double before = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double edge =
        cells.low + (cells.high - cells.low) * static_cast<double>(i + 1) / static_cast<double>(count);
    const double after = i + 1 == count ? 1.0 : cdf(edge);
    probabilities[i] = after - before;
    before = after;
  }
  return probabilities;
}

}  // namespace

Distances line_distances(const std::function<double(double)>& cdf, Range mass, Range cells,
                         std::span<const double> draws) {
  const std::vector<double> sorted = sorted_copy(draws);
  const auto share_below = [&sorted](double y) {
    const auto place = std::lower_bound(sorted.begin(), sorted.end(), y);
    return static_cast<double>(place - sorted.begin()) / static_cast<double>(sorted.size());
  };
  Distances out;
  cell_distances(cell_probabilities(cells, cdf), cell_probabilities(cells, share_below), out);
  integral_distances(cdf, mass, sorted, out);
  return out;
}

}  // namespace mirrorball::laws
