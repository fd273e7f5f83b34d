#include "explain/shapley.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/random.h"
#include "reference/slow_shapley.h"

namespace mirrorball {
namespace {

std::vector<double> random_numbers(std::size_t count, std::uint32_t key) {
  std::vector<double> numbers(count);
  Stream random(key, Purpose::kTest);
  for (double& number : numbers) number = random.normal();
  return numbers;
}

/// Neither additive nor symmetric, with interactions of all orders.
std::vector<double> curved(const std::vector<double>& weights) {
  std::vector<double> worth;
  for (std::size_t set = 0; set < std::size_t{1} << weights.size(); ++set) {
    double sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) sum += (set >> i & 1) != 0 ? weights[i] : 0.0;
    worth.push_back(std::tanh(0.3 * sum + 0.2) + std::sin(sum));
  }
  return worth;
}

TEST(Shapley, AgreesWithAllOrdersOfPlayers) {
  for (std::size_t players = 1; players <= 7; ++players) {
    const std::vector<double> worth =
        random_numbers(std::size_t{1} << players, static_cast<std::uint32_t>(players));
    const std::vector<double> found = shap::shapley_values(players, worth),
                              slow = slow::shapley(players, [&](std::uint32_t set) { return worth[set]; });
    for (std::size_t i = 0; i < players; ++i) EXPECT_NEAR(found[i], slow[i], 1e-13) << players << " players";
  }
}

TEST(Shapley, NobodyAndOnePlayer) {
  EXPECT_TRUE(shap::shapley_values(0, std::vector<double>{3}).empty());
  EXPECT_EQ(shap::shapley_values(1, std::vector<double>{3, 5}), std::vector<double>{2});
}

TEST(Shapley, ValuesSumToTheDifference) {
  for (std::size_t players : {3u, 9u, 12u}) {
    const std::vector<double> worth = curved(random_numbers(players, 3));
    const std::vector<double> found = shap::shapley_values(players, worth);
    EXPECT_NEAR(std::accumulate(found.begin(), found.end(), 0.0), worth.back() - worth.front(), 1e-12);
  }
}

TEST(Shapley, DummiesGetNothingAndTwinsTheSame) {
  std::vector<double> weights = random_numbers(8, 5);
  weights[3] = 0;
  weights[6] = weights[2];
  const std::vector<double> found = shap::shapley_values(8, curved(weights));
  EXPECT_EQ(found[3], 0);
  EXPECT_NEAR(found[6], found[2], 1e-14);
  EXPECT_GT(std::abs(found[2]), 1e-3);
}

}  // namespace
}  // namespace mirrorball
