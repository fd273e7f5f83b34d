#include "report/chance.h"

#include <cmath>

namespace mirrorball::report {

Band chance_band(std::size_t n, double p, double coverage) {
  if (n == 0) return {0, 1};
  if (p <= 0 || p >= 1) return {p, p};
  const double rows = static_cast<double>(n), tail = (1 - coverage) / 2;
  double below = 0;  // P(K < k)
  Band band{0, 1};
  bool found_low = false;
  for (std::size_t k = 0; k <= n; ++k) {
    const double x = static_cast<double>(k);
    const double here = std::exp(std::lgamma(rows + 1) - std::lgamma(x + 1) - std::lgamma(rows - x + 1) +
                                 x * std::log(p) + (rows - x) * std::log1p(-p));
    if (!found_low && below + here > tail) {
      band.low = x / rows;
      found_low = true;
    }
    below += here;
    if (below >= 1 - tail) {
      band.high = x / rows;
      break;
    }
  }
  return band;
}

}  // namespace mirrorball::report
