#include "explain/shapley.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

#include "base/random.h"
#include "reference/slow_shapley.h"

namespace mirrorball {
namespace {

using Set = std::span<const std::uint8_t>;

std::vector<double> values_of(const shap::Coalitions& coalitions, const std::function<double(Set)>& worth) {
  std::vector<double> worths;
  for (std::size_t set = 0; set < coalitions.size(); ++set) worths.push_back(worth(coalitions[set]));
  return shap::shapley_values(coalitions, worths);
}

std::vector<double> random_numbers(std::size_t count, std::uint32_t key) {
  std::vector<double> numbers(count);
  Stream random(key, Purpose::kTest);
  for (double& number : numbers) number = random.normal();
  return numbers;
}

double linear(Set set, const std::vector<double>& weights, double start) {
  for (std::size_t i = 0; i < set.size(); ++i) start += set[i] * weights[i];
  return start;
}

/// Neither additive nor symmetric, with interactions of all orders.
double curved(Set set, const std::vector<double>& weights) {
  return std::tanh(0.3 * linear(set, weights, 0.2)) + std::sin(linear(set, weights, 0) + set[0] * set[1]);
}

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

TEST(Shapley, AgreesWithAllOrdersOfPlayers) {
  for (std::size_t players = 1; players <= 7; ++players) {
    const std::vector<double> worth =
        random_numbers(std::size_t{1} << players, static_cast<std::uint32_t>(players));
    const shap::Coalitions all = shap::choose_coalitions(players, 0, 0);
    ASSERT_TRUE(all.exact);
    const std::vector<double> found = shap::shapley_values(all, worth),
                              slow = slow::shapley(players, [&](std::uint32_t set) { return worth[set]; });
    for (std::size_t i = 0; i < players; ++i) EXPECT_NEAR(found[i], slow[i], 1e-13) << players << " players";
  }
}

TEST(Shapley, NobodyAndOnePlayer) {
  EXPECT_TRUE(shap::shapley_values(shap::choose_coalitions(0, 100, 0), std::vector<double>{3}).empty());
  EXPECT_EQ(shap::shapley_values(shap::choose_coalitions(1, 100, 0), std::vector<double>{3, 5}),
            std::vector<double>{2});
}

TEST(Shapley, SetsAreNumberedByTheirBits) {
  const shap::Coalitions all = shap::choose_coalitions(3, 0, 0);
  ASSERT_EQ(all.size(), 8u);
  for (std::size_t set = 0; set < 8; ++set)
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(all[set][i], set >> i & 1);
}

TEST(Shapley, ALinearFunctionGivesItsWeights) {
  for (std::size_t players : {2u, 5u, 12u, 13u, 20u, 81u}) {
    const std::vector<double> weights = random_numbers(players, 7);
    const shap::Coalitions sets = shap::choose_coalitions(players, 2 * players + 2048, 1);
    EXPECT_EQ(sets.exact, players <= 12);
    const std::vector<double> found = values_of(sets, [&](Set set) { return linear(set, weights, 5); });
    for (std::size_t i = 0; i < players; ++i) EXPECT_NEAR(found[i], weights[i], 1e-11) << players;
  }
}

TEST(Shapley, ValuesSumToTheDifference) {
  for (std::size_t players : {3u, 12u, 13u, 14u, 33u, 81u}) {
    const std::vector<double> weights = random_numbers(players, 3);
    const shap::Coalitions sets = shap::choose_coalitions(players, 2 * players + 300, 2);
    const std::vector<double> found = values_of(sets, [&](Set set) { return curved(set, weights); });
    const std::vector<std::uint8_t> nobody(players, 0), everybody(players, 1);
    EXPECT_NEAR(sum(found), curved(everybody, weights) - curved(nobody, weights), 1e-12) << players;
  }
}

TEST(Shapley, DummiesGetNothingAndTwinsTheSame) {
  std::vector<double> weights = random_numbers(8, 5);
  weights[3] = 0;
  weights[6] = weights[2];
  const std::vector<double> found =
      values_of(shap::choose_coalitions(8, 0, 0), [&](Set set) { return curved(set, weights); });
  EXPECT_EQ(found[3], 0);
  EXPECT_NEAR(found[6], found[2], 1e-14);
  EXPECT_GT(std::abs(found[2]), 1e-3);
}

// Kernel SHAP's theorem: the regression over all sets, with the kernel's weights, gives the Shapley values.
TEST(Shapley, RegressionOverAllSetsIsTheFormula) {
  const std::size_t players = 9;
  const std::vector<double> weights = random_numbers(players, 9);
  const auto worth = [&](Set set) { return curved(set, weights); };
  shap::Coalitions sets = shap::choose_coalitions(players, 0, 0);
  const std::vector<double> formula = values_of(sets, worth);
  sets.exact = false;
  for (std::size_t set = 0; set < sets.size(); ++set) {
    const double size = std::popcount(set), rest = static_cast<double>(players) - size;
    const double subsets = std::tgamma(players + 1) / std::tgamma(size + 1) / std::tgamma(rest + 1);
    sets.weight.push_back(size * rest == 0 ? 0 : (players - 1) / (subsets * size * rest));
  }
  const std::vector<double> regression = values_of(sets, worth);
  for (std::size_t i = 0; i < players; ++i) EXPECT_NEAR(regression[i], formula[i], 1e-12);
}

TEST(Shapley, SampledSetsComeInPairsWithTheKernelsWeight) {
  for (std::size_t players : {13u, 16u, 40u}) {
    const std::size_t most = 600;
    const shap::Coalitions sets = shap::choose_coalitions(players, most, 4);
    EXPECT_FALSE(sets.exact);
    EXPECT_LE(sets.size(), most);
    EXPECT_GT(sets.size(), most - 4);
    std::map<std::vector<std::uint8_t>, double> weight;
    std::vector<double> mass(players + 1, 0.0);
    double ideal = 0;
    for (std::size_t set = 0; set < sets.size(); ++set) {
      const std::vector<std::uint8_t> members(sets[set].begin(), sets[set].end());
      EXPECT_TRUE(weight.emplace(members, sets.weight[set]).second) << "a set came twice";
      mass[static_cast<std::size_t>(std::accumulate(members.begin(), members.end(), 0))] += sets.weight[set];
    }
    for (const auto& [members, own] : weight) {
      std::vector<std::uint8_t> others = members;
      for (std::uint8_t& member : others) member ^= 1;
      ASSERT_TRUE(weight.contains(others));
      EXPECT_DOUBLE_EQ(weight[others], own);
    }
    for (std::size_t s = 1; s < players; ++s) ideal += 1.0 / static_cast<double>(s * (players - s));
    EXPECT_NEAR(sum(mass), 1, 1e-12);
    EXPECT_EQ(mass.front() + mass.back(), 0);
    for (std::size_t s = 1; s < players; ++s)
      EXPECT_NEAR(mass[s], 1.0 / static_cast<double>(s * (players - s)) / ideal, s == 1 ? 1e-12 : 0.03) << s;
    EXPECT_EQ(sets[0][0], 0);
    EXPECT_EQ(sets[sets.size() - 1][0], 1);
  }
}

TEST(Shapley, SamplesComeNearTheTruth) {
  const std::size_t players = 13;
  const std::vector<double> weights = random_numbers(players, 11);
  const auto worth = [&](Set set) { return curved(set, weights); };
  const shap::Coalitions all = shap::choose_coalitions(players, std::size_t{1} << players, 0);
  ASSERT_TRUE(all.exact) << "as many sets as there are";
  const std::vector<double> exact = values_of(all, worth);
  double few = 0, many = 0;
  for (std::uint64_t seed = 0; seed < 5; ++seed)
    for (std::size_t i = 0; i < players; ++i) {
      few += std::abs(values_of(shap::choose_coalitions(players, 200, seed), worth)[i] - exact[i]) /
             (5 * players);
      many += std::abs(values_of(shap::choose_coalitions(players, 4000, seed), worth)[i] - exact[i]) /
              (5 * players);
    }
  EXPECT_LT(few, 0.15);
  EXPECT_LT(many, few / 3);
  EXPECT_GT(few, 1e-4) << "a test that means something";
}

TEST(Shapley, SeedDecidesTheSets) {
  EXPECT_EQ(shap::choose_coalitions(20, 500, 3).member, shap::choose_coalitions(20, 500, 3).member);
  EXPECT_NE(shap::choose_coalitions(20, 500, 3).member, shap::choose_coalitions(20, 500, 4).member);
}

TEST(Shapley, TheFewestSetsAreThoseOfOnePlayer) {
  const shap::Coalitions sets = shap::choose_coalitions(30, 62, 0);
  EXPECT_EQ(sets.size(), 62u);
  const std::vector<double> weights = random_numbers(30, 2);
  const std::vector<double> found = values_of(sets, [&](Set set) { return linear(set, weights, 1); });
  for (std::size_t i = 0; i < 30; ++i) EXPECT_NEAR(found[i], weights[i], 1e-11);
}

}  // namespace
}  // namespace mirrorball
