#include "explain/cost.h"

#include <algorithm>

namespace mirrorball::shap {
namespace {

/// Sets evaluated with a background row where all of them would be more. Few are enough: rows differ more
/// than orders, so another background row tells more than another order.
constexpr std::size_t kSets = 32;
constexpr std::size_t kMostBits = 32;  // of a number of sets

}  // namespace

std::size_t least_sets(std::size_t players) {
  const std::size_t walked = std::max<std::size_t>(2 * players, 1);
  return players < kMostBits ? std::min(std::size_t{1} << players, walked) : walked;
}

SetPlan set_plan(std::size_t players, std::size_t wanted, bool twice) {
  const std::size_t most = wanted == 0 ? kSets : wanted;
  if (players < kMostBits && std::size_t{1} << players <= most) return {true, 0, std::size_t{1} << players};
  const std::size_t walked = 2 * (players - 1);  // of a pair, without the two ends
  const std::size_t pairs =
      std::max<std::size_t>((most - std::min<std::size_t>(most, 2)) / walked, twice ? 2 : 1);
  return {false, pairs, pairs * walked + 2};
}

ExplainCost explain_cost(std::size_t features, std::size_t background_rows, const ExplainOptions& options) {
  const std::size_t rows = std::min(background_rows, options.background_rows);
  const std::size_t sets = set_plan(features, options.coalitions, 2 * rows > background_rows).sets;
  return {sets, rows, std::min(background_rows, std::max(rows, kBaseRows))};
}

}  // namespace mirrorball::shap
