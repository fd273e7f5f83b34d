#include "explain/shapley.h"

#include <bit>
#include <cmath>

namespace mirrorball::shap {
namespace {

double choose(std::size_t n, std::size_t k) {
  double result = 1;
  for (std::size_t i = 1; i <= k; ++i) result *= static_cast<double>(n - k + i) / static_cast<double>(i);
  return std::round(result);
}

}  // namespace

/// phi_i = sum over S without i of |S|! (d - |S| - 1)! / d! (v(S + i) - v(S)).
std::vector<double> shapley_values(std::size_t players, std::span<const double> worth) {
  std::vector<double> share(players), result(players, 0.0);  // share[s] = s! (d - s - 1)! / d!
  for (std::size_t s = 0; s < players; ++s)
    share[s] = 1 / (static_cast<double>(players - s) * choose(players, s));
  for (std::size_t set = 0; set < worth.size(); ++set)
    for (std::size_t i = 0; i < players; ++i)
      if (!(set >> i & 1))
        result[i] += share[static_cast<std::size_t>(std::popcount(set))] *
                     (worth[set | std::size_t{1} << i] - worth[set]);
  return result;
}

}  // namespace mirrorball::shap
