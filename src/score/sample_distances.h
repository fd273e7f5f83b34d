#pragma once

#include <cstddef>

#include "mirrorball/law.h"
#include "score/points.h"

namespace mirrorball {

/// Distances between two samples of one or two dimensions, at least one point each.
/// - jsd and hellinger: as told in laws.h, on `cells` equal cells of each dimension over the range of both.
/// - wasserstein: ∫|F − G|, in the plane the mean of it over the 32 directions of laws.h.
/// - energy: √(2 E‖X − Y‖ − E‖X − X'‖ − E‖Y − Y'‖) over all pairs, on the line √(2 ∫(F − G)²), which is the
/// same.
Distances sample_distances(const Points& a, const Points& b, std::size_t cells);

}  // namespace mirrorball
