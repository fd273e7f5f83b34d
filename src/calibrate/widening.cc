#include "calibrate/widening.h"

#include <algorithm>
#include <vector>

#include "base/order_statistics.h"

namespace mirrorball::calibrate {
namespace {

double mean_difference(std::span<const float> draws) {
  std::vector<double> sorted(draws.begin(), draws.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted_mean_difference(sorted);
}

}  // namespace

// The mean |X - X'| of a pool of n networks is w / n + (1 - 1/n) b, with w that within one network and b that
// between two of them.
double widening(std::span<const float> draws, std::size_t networks, std::size_t all) {
  if (networks < 2 || all <= networks) return 1;
  const double few = static_cast<double>(networks), many = static_cast<double>(all);
  double within = 0;
  for (std::size_t i = 0; i < networks; ++i) {
    const std::size_t begin = draws.size() * i / networks, end = draws.size() * (i + 1) / networks;
    within += mean_difference(draws.subspan(begin, end - begin)) / few;
  }
  const double pooled = mean_difference(draws);
  if (!(pooled > 0)) return 1;
  const double between = (pooled - within / few) / (1 - 1 / few);
  return std::max(1.0, (within / many + (1 - 1 / many) * between) / pooled);
}

}  // namespace mirrorball::calibrate
