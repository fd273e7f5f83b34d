#include "laws/cells.h"

#include <algorithm>
#include <cmath>

namespace mirrorball::laws {

void cell_distances(std::span<const double> p, std::span<const double> q, Distances& out) {
  const auto part = [](double a, double middle) { return a > 0 ? a * std::log2(a / middle) : 0.0; };
  double divergence = 0, roots = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double middle = (p[i] + q[i]) / 2, root = std::sqrt(p[i]) - std::sqrt(q[i]);
    divergence += (part(p[i], middle) + part(q[i], middle)) / 2;
    roots += root * root / 2;
  }
  out.jsd = std::sqrt(std::max(0.0, divergence));
  out.hellinger = std::sqrt(roots);
}

}  // namespace mirrorball::laws
