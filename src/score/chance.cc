#include "score/chance.h"

#include <algorithm>
#include <cmath>

namespace mirrorball::scoring {
namespace {

/// Counts further from the mean than this many deviations, and a few, have less than 1e-15 together.
constexpr double kFar = 9, kFew = 40;

}  // namespace

Band chance_band(std::size_t n, double p, double coverage) {
  if (n == 0) return {0, 1};
  if (p <= 0 || p >= 1) return {p, p};
  const double rows = static_cast<double>(n), tail = (1 - coverage) / 2;
  const double reach = kFar * std::sqrt(rows * p * (1 - p)) + kFew, mean = rows * p;
  const double first = std::max(0.0, std::floor(mean - reach)), last = std::min(rows, mean + reach);
  const double odds = p / (1 - p);
  double here = std::exp(std::lgamma(rows + 1) - std::lgamma(first + 1) - std::lgamma(rows - first + 1) +
                         first * std::log(p) + (rows - first) * std::log1p(-p));
  double below = 0;  // P(K < k)
  Band band{0, 1};
  bool found_low = false;
  for (double k = first; k <= last; ++k) {
    if (!found_low && below + here > tail) {
      band.low = k / rows;
      found_low = true;
    }
    below += here;
    if (below >= 1 - tail) {
      band.high = k / rows;
      break;
    }
    here *= (rows - k) / (k + 1) * odds;
  }
  return band;
}

}  // namespace mirrorball::scoring
