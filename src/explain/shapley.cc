#include "explain/shapley.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>

#include "base/sample_rows.h"
#include "explain/cost.h"

namespace mirrorball::shap {
namespace {

using Set = std::vector<bool>;

void add(Coalitions& to, const Set& set, double weight) {
  to.member.insert(to.member.end(), set.begin(), set.end());
  to.weight.push_back(weight);
}

Set complement(Set set) {
  set.flip();
  return set;
}

Coalitions all_coalitions(std::size_t players) {
  Coalitions all{players, true, {}, {}};
  const std::size_t count = std::size_t{1} << players;
  all.member.reserve(count * players);
  for (std::size_t set = 0; set < count; ++set)
    for (std::size_t i = 0; i < players; ++i) all.member.push_back(set >> i & 1);
  return all;
}

double choose(std::size_t n, std::size_t k) {
  double result = 1;
  for (std::size_t i = 1; i <= k; ++i) result *= static_cast<double>(n - k + i) / static_cast<double>(i);
  return std::round(result);
}

/// Sets of one size together with their complements.
struct Level {
  std::size_t size;
  double sets;  ///< how many there are
  double mass;  ///< their share of all kernel weight
};

/// The Shapley kernel gives a set of size s the weight (d - 1) / (C(d, s) s (d - s)), so all of that size
/// (d - 1) / (s (d - s)).
std::vector<Level> levels_of(std::size_t players) {
  std::vector<Level> levels;
  double total = 0;
  for (std::size_t s = 1; 2 * s <= players; ++s) {
    const double sides = 2 * s == players ? 1 : 2;
    const double mass = sides / (static_cast<double>(s) * static_cast<double>(players - s));
    levels.push_back({s, sides * choose(players, s), mass});
    total += mass;
  }
  for (Level& level : levels) level.mass /= total;
  return levels;
}

/// All sets of a level, with the weight of the level shared among them.
void add_level(const Level& level, Coalitions& to) {
  Set set(to.players, false);
  std::fill_n(set.begin(), level.size, true);
  const bool own_complement = 2 * level.size == to.players;  // then the complement comes by itself
  do {
    add(to, set, level.mass / level.sets);
    if (!own_complement) add(to, complement(set), level.mass / level.sets);
  } while (std::prev_permutation(set.begin(), set.end()));
}

Set random_set(std::size_t players, std::size_t size, Stream& random) {
  std::vector<std::uint32_t> order(players);
  std::iota(order.begin(), order.end(), 0u);
  Set set(players, false);
  choose_first(order, size, random);
  for (std::size_t i = 0; i < size; ++i) set[order[i]] = true;
  return set;
}

/// Up to `pairs` different pairs from the levels, sizes drawn by mass. A pair that comes up again counts
/// again; the mass of the levels is shared by counts.
void add_sampled(std::span<const Level> levels, std::size_t pairs, Stream& random, Coalitions& to) {
  double mass = 0;
  for (const Level& level : levels) mass += level.mass;
  std::map<Set, double> counts;
  double total = 0;
  for (std::size_t tries = 0; counts.size() < pairs && tries < 4 * pairs; ++tries) {
    double at = random.uniform_double() * mass;
    std::size_t which = 0;
    while (which + 1 < levels.size() && at >= levels[which].mass) at -= levels[which++].mass;
    Set set = random_set(to.players, levels[which].size, random);
    if (2 * levels[which].size == to.players && !set[0]) set = complement(set);  // one name for a pair
    ++counts[set];
    ++total;
  }
  for (const auto& [set, count] : counts) {
    add(to, set, 0.5 * mass * count / total);
    add(to, complement(set), 0.5 * mass * count / total);
  }
}

/// Small and large sets have most of the weight and are few: levels are taken whole as long as their share of
/// the budget allows (the first always), and the rest is sampled.
Coalitions some_coalitions(std::size_t players, std::size_t most, std::uint64_t seed) {
  Coalitions some{players, false, {}, {}};
  add(some, Set(players, false), 0);
  const std::vector<Level> levels = levels_of(players);
  double budget = static_cast<double>(most) - 2, mass = 1;
  std::size_t whole = 0;
  while (whole < levels.size() &&
         (whole == 0 || budget * levels[whole].mass / mass >= levels[whole].sets - 1e-6)) {
    add_level(levels[whole], some);
    budget -= levels[whole].sets;
    mass -= levels[whole++].mass;
  }
  Stream random(seed, Purpose::kExplain, 1);
  if (whole < levels.size() && budget >= 2)
    add_sampled(std::span(levels).subspan(whole), static_cast<std::size_t>(budget / 2), random, some);
  add(some, Set(players, true), 0);
  return some;
}

/// phi_i = sum over S without i of |S|! (d - |S| - 1)! / d! (v(S + i) - v(S)).
std::vector<double> by_formula(std::size_t players, std::span<const double> worth) {
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

/// Weighted least squares, minimise sum_S w_S (v(S) - v(empty) - sum_{i in S} phi_i)^2 with sum phi_i = D
/// held fixed, D = v(all) - v(empty). With A = sum w z z', b = sum w z (v - v(empty)) and a Lagrange
/// multiplier,
///   phi = A^-1 b + (D - 1' A^-1 b) / (1' A^-1 1) A^-1 1.
/// The sets of one player make A positive definite.
std::vector<double> by_regression(const Coalitions& coalitions, std::span<const double> worth) {
  const auto players = static_cast<Eigen::Index>(coalitions.players);
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(players, players);
  Eigen::MatrixXd right = Eigen::MatrixXd::Zero(players, 2);  // b, and ones
  right.col(1).setOnes();
  Eigen::VectorXd z(players);
  for (std::size_t set = 0; set < coalitions.size(); ++set) {
    for (Eigen::Index i = 0; i < players; ++i) z[i] = coalitions[set][static_cast<std::size_t>(i)];
    a.selfadjointView<Eigen::Lower>().rankUpdate(z, coalitions.weight[set]);
    right.col(0) += coalitions.weight[set] * (worth[set] - worth.front()) * z;
  }
  const Eigen::MatrixXd solved = a.selfadjointView<Eigen::Lower>().ldlt().solve(right);
  const double missing = worth.back() - worth.front() - solved.col(0).sum();
  const Eigen::VectorXd phi = solved.col(0) + missing / solved.col(1).sum() * solved.col(1);
  return {phi.begin(), phi.end()};
}

}  // namespace

Coalitions choose_coalitions(std::size_t players, std::size_t most, std::uint64_t seed) {
  return takes_all_coalitions(players, most) ? all_coalitions(players) : some_coalitions(players, most, seed);
}

std::vector<double> shapley_values(const Coalitions& coalitions, std::span<const double> worth) {
  return coalitions.exact ? by_formula(coalitions.players, worth) : by_regression(coalitions, worth);
}

}  // namespace mirrorball::shap
