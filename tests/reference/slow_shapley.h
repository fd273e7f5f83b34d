#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

namespace mirrorball::slow {

/// Shapley values straight from their meaning: players come in every order, and each is worth, on average,
/// what it adds to those who came before. `worth` takes a set as bits. For few players.
inline std::vector<double> shapley(std::size_t players, const std::function<double(std::uint32_t)>& worth) {
  std::vector<double> value(std::size_t{1} << players), result(players, 0.0);
  for (std::uint32_t set = 0; set < value.size(); ++set) value[set] = worth(set);
  std::vector<std::uint32_t> order(players);
  std::iota(order.begin(), order.end(), 0u);
  double orders = 0;
  do {
    std::uint32_t set = 0;
    for (const std::uint32_t player : order) {
      result[player] += value[set | 1u << player] - value[set];
      set |= 1u << player;
    }
    ++orders;
  } while (std::next_permutation(order.begin(), order.end()));
  for (double& one : result) one /= orders;
  return result;
}

}  // namespace mirrorball::slow
