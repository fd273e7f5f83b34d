#pragma once

#include <span>

#include "mirrorball/law.h"

namespace mirrorball::laws {

/// Jensen-Shannon distance and Hellinger distance between two sets of probabilities over the same cells:
///   √(½ Σ p log2(p/m) + ½ Σ q log2(q/m)), m = (p + q)/2, and √(½ Σ (√p − √q)²)
void cell_distances(std::span<const double> p, std::span<const double> q, Distances& out);

}  // namespace mirrorball::laws
