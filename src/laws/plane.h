#pragma once

#include <cstddef>
#include <span>

#include "mirrorball/law.h"
#include "score/points.h"

namespace mirrorball::laws {

/// The cells of the plane: kSide × kSide equal ones of [−kReach, kReach]², numbered y1 first, and one for the
/// rest.
struct PlaneCells {
  static constexpr std::size_t kSide = 40, kCount = kSide * kSide + 1;
  static constexpr double kReach = 1.1;
  /// Edge i of kSide + 1.
  static double edge(std::size_t i) { return kReach * (2 * static_cast<double>(i) / kSide - 1); }
};

/// Distances between draws and a law of two targets, as told in known_law.h, from the law's cell
/// probabilities and points spread like the law.
Distances plane_distances(std::span<const double> cell_probabilities, const scoring::Points& law,
                          const scoring::Points& draws);

/// Mean over 32 directions of Wasserstein-1 between the projections of two sets of points.
double sliced_wasserstein(const scoring::Points& a, const scoring::Points& b);

/// √(2 E‖X − Y‖ − E‖X − X'‖ − E‖Y − Y'‖), X and Y uniform on the two sets.
double energy_distance(const scoring::Points& a, const scoring::Points& b);

}  // namespace mirrorball::laws
