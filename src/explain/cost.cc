#include "explain/cost.h"

#include <algorithm>

#include "explain/shapley.h"

namespace mirrorball::shap {
namespace {

constexpr std::size_t kCoalitions = 2048;  // and two for each player
constexpr std::size_t kMostBits = 32;      // of a number of sets

}  // namespace

std::size_t most_coalitions(std::size_t players, std::size_t wanted) {
  return wanted == 0 || players <= kExactPlayers ? 2 * players + kCoalitions : wanted;
}

bool takes_all_coalitions(std::size_t players, std::size_t most) {
  return players <= kExactPlayers || (players < kMostBits && std::size_t{1} << players <= most);
}

ExplainCost explain_cost(std::size_t features, std::size_t background_rows, const ExplainOptions& options) {
  const std::size_t most = most_coalitions(features, options.coalitions);
  const std::size_t sets = takes_all_coalitions(features, most) ? std::size_t{1} << features : most;
  return {sets, std::min(background_rows, options.background_rows)};
}

}  // namespace mirrorball::shap
