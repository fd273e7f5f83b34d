#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "base/normal.h"
#include "mirrorball/score.h"
#include "reference/refusal.h"
#include "score/slow_scores.h"

namespace mirrorball {
namespace {

const std::vector<double> kScoredDraws = {0.31,  -1.25, 2.75, 0.5,    0.5, -0.125,
                                          1.875, 3.5,   -2.0, 0.0625, 1.0, 0.75};
const double kAt[] = {-3.0, 0.0, 0.5, 1.3, 6.0};

TEST(CrpsOfDraws, ByHand) {
  // mean|s − y| = (1 + 1)/2, pairs 2·2/(2·4) = 1/2
  EXPECT_DOUBLE_EQ(crps(std::vector{1.0, 3.0}, 2), 0.5);
  EXPECT_DOUBLE_EQ(crps(std::vector{3.0, 1.0}, 2, true), 0);
  EXPECT_DOUBLE_EQ(crps(std::vector{4.0}, 1.5), 2.5);
  EXPECT_DOUBLE_EQ(crps(std::vector{2.0, 2.0, 2.0}, 2), 0);
  EXPECT_DOUBLE_EQ(crps(std::vector{2.0, 2.0, 2.0}, -1), 3);
}

// [properscoring.crps_ensemble(y, draws) for y in at], properscoring 0.1
TEST(CrpsOfDraws, IsProperscorings) {
  const double expected[] = {2.846961805555556, 0.40946180555555556, 0.26404513888888903, 0.5390451388888887,
                             4.534878472222222};
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(crps(kScoredDraws, kAt[i]), expected[i], 1e-14);
}

TEST(CrpsOfDraws, IsItsSlowTwin) {
  for (const std::size_t samples : {1, 2, 3, 10, 101, 500}) {
    std::vector<double> draws = slow::normals(samples, 1, 3, 2);
    draws.back() = draws.front();  // a tie
    for (const double y : {-4.0, 2.5, 3.0, 50.0, draws.front()}) {
      EXPECT_NEAR(crps(draws, y), slow::crps(draws, y), 1e-13);
      if (samples > 1) {
        EXPECT_NEAR(crps(draws, y, true), slow::crps(draws, y, true), 1e-12);
      }
    }
  }
}

TEST(CrpsOfDraws, KeepsItsDigitsFarFromZero) {
  std::vector<double> draws = slow::normals(300, 2), far = draws;
  for (double& draw : far) draw += 1e8;
  EXPECT_NEAR(crps(far, 1e8 + 0.5), crps(draws, 0.5), 1e-7);
}

TEST(EnergyScoreOfDraws, ByHand) {
  // Two draws 5 apart, y on one of them: 5/2 − 2·5/(2·4); fair − 2·5/(2·2)
  const std::vector<double> draws = {0, 0, 3, 4};
  EXPECT_DOUBLE_EQ(energy_score(draws, std::vector{0.0, 0.0}), 1.25);
  EXPECT_DOUBLE_EQ(energy_score(draws, std::vector{0.0, 0.0}, true), 0);
  EXPECT_DOUBLE_EQ(energy_score(std::vector{3.0, 4.0, 0.0}, std::vector{0.0, 0.0, 0.0}), 5);
}

TEST(EnergyScoreOfDraws, IsItsSlowTwin) {
  for (const std::size_t dims : {1, 2, 3, 4, 7})
    for (const std::size_t samples : {1, 2, 3, 8, 17, 64, 203}) {
      const std::vector<double> draws = slow::normals(samples * dims, 3, -1, 3), y = slow::normals(dims, 4);
      EXPECT_NEAR(energy_score(draws, y), slow::energy_score(draws, y), 1e-12) << dims << " " << samples;
      if (samples > 1) {
        EXPECT_NEAR(energy_score(draws, y, true), slow::energy_score(draws, y, true), 1e-11);
      }
    }
}

TEST(EnergyScoreOfDraws, OfOneTargetIsTheCrps) {
  const std::vector<double> draws = slow::normals(100, 5), y = {0.3};
  EXPECT_EQ(energy_score(draws, y), crps(draws, 0.3));
  EXPECT_EQ(energy_score(draws, y, true), crps(draws, 0.3, true));
}

// -scipy.stats.gaussian_kde(draws).logpdf(at), scipy 1.17.1
TEST(KdeNll, IsScipysInOneDimension) {
  const double expected[] = {3.6182538295726356, 1.4463076268376547, 1.374348691716329, 1.5967965938021857,
                             6.837766407663421};
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(kde_nll(kScoredDraws, {&kAt[i], 1}), expected[i], 1e-13);
}

// -scipy.stats.gaussian_kde(draws.T).logpdf(at.T) for the rows of draws and at, scipy 1.17.1
TEST(KdeNll, IsScipysInTwoAndThreeDimensions) {
  const std::vector<double> two = {0.5, 1.25, -1.0,  0.75,  2.25, -0.5, 0.125, 0.25,
                                   1.5, 1.5,  -0.75, -1.25, 0.25, 2.0,  1.0,   -0.25};
  bool floored = true;
  EXPECT_NEAR(kde_nll(two, std::vector{0.0, 0.0}, &floored), 2.67042713895383, 1e-13);
  EXPECT_FALSE(floored);
  EXPECT_NEAR(kde_nll(two, std::vector{1.0, 1.0}), 2.538139037792644, 1e-13);
  EXPECT_NEAR(kde_nll(two, std::vector{-3.0, 2.0}), 8.238907926970862, 1e-13);
  EXPECT_NEAR(kde_nll(two, std::vector{5.0, 5.0}), 22.804754982845626, 1e-12);
  const std::vector<double> three = {0.5,   1.25, 3.0, -1.0, 0.75, 2.0,  2.25,  -0.5,  4.0,
                                     0.125, 0.25, 1.0, 1.5,  1.5,  -2.0, -0.75, -1.25, 0.5};
  EXPECT_NEAR(kde_nll(three, std::vector{0.0, 0.0, 1.0}), 4.374566157219828, 1e-13);
}

TEST(KdeNll, IsItsSlowTwin) {
  for (const std::size_t samples : {2, 3, 16, 17, 500}) {
    const std::vector<double> draws = slow::normals(samples, 6, 10, 0.5);
    for (const double y : {9.0, 10.0, 10.7}) {
      bool floored = true;
      EXPECT_NEAR(kde_nll(draws, {&y, 1}, &floored), slow::kde_nll(draws, y), 1e-10) << samples << " " << y;
      EXPECT_FALSE(floored);
    }
  }
}

TEST(KdeNll, IsFiniteWithoutSpread) {
  const auto finite = [](const std::vector<double>& draws, const std::vector<double>& y) {
    bool floored = false;
    const double nll = kde_nll(draws, y, &floored);
    EXPECT_TRUE(floored);
    return std::isfinite(nll);
  };
  EXPECT_TRUE(finite({2, 2, 2}, {2}));
  EXPECT_TRUE(finite({2, 2, 2}, {3}));
  EXPECT_TRUE(finite({2}, {2.5}));
  EXPECT_TRUE(finite({0, 0}, {0}));
  EXPECT_TRUE(finite({0, 0}, {1e300}));
  EXPECT_TRUE(finite({0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}, {0.1}));
  EXPECT_TRUE(finite({1, 2}, {1, 2}));
  EXPECT_TRUE(finite({1, 5, 2, 5, 3, 5}, {2, 5}));    // no spread in the second
  EXPECT_TRUE(finite({1, 1, 2, 2, 3, 3}, {2, 2.1}));  // on a line
  EXPECT_TRUE(finite({0.1, 0.3, 0.2, 0.6, 0.7, 2.1}, {0.2, 0.6}));
  EXPECT_TRUE(finite({1, 2, 3, 4, 5, 7}, {1, 2, 3}));  // two draws in three dimensions
  EXPECT_TRUE(finite({1e100, 1, 2e100, 1, 3e100, 1}, {2, 2.1}));
}

// Without spread the kernel is as wide as the floor: 1e-13 of the largest draw, or 1e-12.
TEST(KdeNll, TheFloorIsAShareOfTheLargestDraw) {
  const auto nll_of_width = [](double width) { return std::log(width * std::sqrt(2 * std::numbers::pi)); };
  EXPECT_NEAR(kde_nll(std::vector{-2.0, -2.0, -2.0}, std::vector{-2.0}), nll_of_width(2e-13), 1e-12);
  EXPECT_NEAR(kde_nll(std::vector{0.0, 0.0}, std::vector{0.0}), nll_of_width(1e-12), 1e-12);
}

TEST(KdeNll, OfAHitIsSmallAndOfAMissIsLargeWithoutSpread) {
  const std::vector<double> draws = {2, 2, 2};
  EXPECT_LT(kde_nll(draws, std::vector{2.0}), -15);
  EXPECT_GT(kde_nll(draws, std::vector{2.1}), 1e6);
}

TEST(Pit, CountsTiesHalf) {
  const std::vector<double> draws = {3, 1, 2, 2};
  EXPECT_EQ(pit(draws, 0), 0);
  EXPECT_EQ(pit(draws, 1), 0.125);
  EXPECT_EQ(pit(draws, 2), 0.5);
  EXPECT_EQ(pit(draws, 2.5), 0.75);
  EXPECT_EQ(pit(draws, 9), 1);
}

/// Draws of N(shift, scale²) without the noise of drawing.
std::vector<double> even_normals(std::size_t count, double shift, double scale) {
  std::vector<double> draws(count);
  for (std::size_t i = 0; i < count; ++i)
    draws[i] = shift + scale * normal_quantile((static_cast<double>(i) + 0.5) / static_cast<double>(count));
  return draws;
}

TEST(ScoreProperness, CrpsIsBestForTheTruth) {
  const std::vector<double> truth = slow::normals(4000, 7);
  const auto mean = [&truth](double shift, double scale) {
    const std::vector<double> draws = even_normals(200, shift, scale);
    double sum = 0;
    for (const double y : truth) sum += crps(draws, y);
    return sum / static_cast<double>(truth.size());
  };
  const double best = mean(0, 1);
  EXPECT_NEAR(best, 1 / std::sqrt(std::numbers::pi), 0.02);
  for (const auto& [shift, scale] : {std::pair{0.3, 1.0}, {-0.3, 1.0}, {0.0, 1.4}, {0.0, 0.7}})
    EXPECT_GT(mean(shift, scale), best + 0.005) << shift << " " << scale;
}

TEST(ScoreProperness, EnergyScoreIsBestForTheTruth) {
  // Two normals with correlation 0.8; a mix of independent ones gives any other.
  const auto correlated = [](std::size_t count, std::uint32_t key, double shift, double scale, double r) {
    std::vector<double> values = slow::normals(2 * count, key);
    for (std::size_t i = 0; i < values.size(); i += 2) {
      values[i + 1] = shift + scale * (r * values[i] + std::sqrt(1 - r * r) * values[i + 1]);
      values[i] = shift + scale * values[i];
    }
    return values;
  };
  const std::vector<double> truth = correlated(3000, 8, 0, 1, 0.8);
  const auto mean = [&](double shift, double scale, double r) {
    const std::vector<double> draws = correlated(400, 9, shift, scale, r);
    double sum = 0;
    for (std::size_t i = 0; i < truth.size(); i += 2)
      sum += energy_score(draws, std::span(truth).subspan(i, 2));
    return 2 * sum / static_cast<double>(truth.size());
  };
  const double best = mean(0, 1, 0.8);
  EXPECT_GT(mean(0.4, 1, 0.8), best + 0.005);
  EXPECT_GT(mean(0, 1.5, 0.8), best + 0.005);
  EXPECT_GT(mean(0, 0.6, 0.8), best + 0.005);
  EXPECT_GT(mean(0, 1, -0.5), best + 0.005);
}

TEST(ForecastScores, RefuseWithBothNumbers) {
  const std::vector<double> draws = {1, 2, 3}, pair = {1, 2};
  EXPECT_EQ(refusal([&] { energy_score(draws, pair); }),
            "3 numbers are not a whole number of samples of 2 values each");
  EXPECT_EQ(refusal([&] { kde_nll(draws, {}); }), "y is empty: give at least 1 value");
  EXPECT_EQ(refusal([] { crps({}, 1); }), "0 samples given, but at least 1 needed");
  EXPECT_EQ(refusal([] { crps(std::vector{1.0}, 1, true); }), "1 samples given, but at least 2 needed");
  EXPECT_EQ(refusal([&] { crps(draws, std::nan("")); }), "y 0 of 1 is nan, not a finite number");
  EXPECT_EQ(refusal([&] {
              pit(std::vector{1.0, std::numeric_limits<double>::infinity()}, 1);
            }),
            "number 1 of 2 is inf, not a finite number");
}

}  // namespace
}  // namespace mirrorball
