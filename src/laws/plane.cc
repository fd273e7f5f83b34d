#include "laws/plane.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "laws/cells.h"
#include "laws/steps.h"

namespace mirrorball::laws {
namespace {

constexpr std::size_t kDirections = 32;

std::vector<double> cell_shares(const scoring::Points& draws) {
  std::vector<double> shares(PlaneCells::kCount);
  const double share = 1 / static_cast<double>(draws.count());
  const auto place = [](double y) {
    return std::floor((y + PlaneCells::kReach) / (2 * PlaneCells::kReach) * PlaneCells::kSide);
  };
  const auto within = [](double i) { return i >= 0 && i < PlaneCells::kSide; };
  for (std::size_t m = 0; m < draws.count(); ++m) {
    const double i = place(draws.column(0)[m]), j = place(draws.column(1)[m]);
    shares[within(i) && within(j)
               ? static_cast<std::size_t>(i) * PlaneCells::kSide + static_cast<std::size_t>(j)
               : PlaneCells::kCount - 1] += share;
  }
  return shares;
}

std::vector<double> projection(const scoring::Points& points, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  std::vector<double> line(points.count());
  for (std::size_t i = 0; i < line.size(); ++i) line[i] = c * points.column(0)[i] + s * points.column(1)[i];
  std::sort(line.begin(), line.end());
  return line;
}

/// At most `most` of the points, at equal steps.
scoring::Points thinned(const scoring::Points& points, std::size_t most) {
  scoring::Points some(std::min(most, points.count()), points.dims());
  for (std::size_t k = 0; k < points.dims(); ++k)
    for (std::size_t i = 0; i < some.count(); ++i)
      some.column(k)[i] = points.column(k)[i * points.count() / some.count()];
  return some;
}

}  // namespace

double sliced_wasserstein(const scoring::Points& a, const scoring::Points& b) {
  double sum = 0;
  for (std::size_t k = 0; k < kDirections; ++k) {
    const double angle = std::numbers::pi * static_cast<double>(k) / kDirections;
    sum += step_integrals(projection(a, angle), projection(b, angle)).absolute;
  }
  return sum / kDirections;
}

double energy_distance(const scoring::Points& a, const scoring::Points& b) {
  const double m = static_cast<double>(a.count()), n = static_cast<double>(b.count());
  const double between = scoring::cross_distance_sum(a, b) / (m * n);
  const double within = scoring::pair_distance_sum(a) / (m * m) + scoring::pair_distance_sum(b) / (n * n);
  return std::sqrt(std::max(0.0, 2 * (between - within)));
}

Distances plane_distances(std::span<const double> cell_probabilities, const scoring::Points& law,
                          const scoring::Points& draws) {
  Distances out;
  cell_distances(cell_probabilities, cell_shares(draws), out);
  out.wasserstein = sliced_wasserstein(draws, law);
  out.energy = energy_distance(thinned(draws, law.count()), law);
  return out;
}

}  // namespace mirrorball::laws
