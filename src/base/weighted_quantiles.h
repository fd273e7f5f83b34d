#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace mirrorball {

// With weights w of sum `total` in ascending order of v, the quantile at level p is the first v_i with
//   w_1 + ... + w_i >= p total.
// The slack lets a sum that is p total but for rounding count as reaching it.
/// Sorts the draws by `value` and visits those at levels (k + 1/2) / count, k = 0 .. count - 1: visit(k,
/// draw).
template <class Draw, class Visit>
void each_quantile(std::span<Draw> draws, double total, std::size_t count, Visit visit) {
  constexpr double kSlack = 1e-6;
  std::sort(draws.begin(), draws.end(), [](const Draw& a, const Draw& b) { return a.value < b.value; });
  const double step = total / static_cast<double>(count);
  std::size_t at = 0;
  double sum = draws[0].weight;
  for (std::size_t k = 0; k < count; ++k) {
    const double goal = (static_cast<double>(k) + 0.5) * step - kSlack * total;
    while (sum < goal && at + 1 < draws.size()) sum += draws[++at].weight;
    visit(k, draws[at]);
  }
}

}  // namespace mirrorball
