#include "mirrorball/predictive.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.h"
#include "reference/refusal.h"

namespace mirrorball {
namespace {

const std::vector<double> kDraws = {0.25f,  -1.25f, 2.75f, 0.5f,    0.5f, -0.125f,
                                    1.875f, 3.5f,   -2.0f, 0.0625f, 1.0f, 0.75f};

Predictive one_row(const std::vector<double>& draws) {
  Predictive forecast(1, draws.size(), {"y"});
  std::copy(draws.begin(), draws.end(), forecast.row_samples(0).begin());
  return forecast;
}

TEST(Predictive, KeepsDrawsByRowAndTarget) {
  Predictive forecast(3, 4, {"a", "b"});
  EXPECT_EQ(forecast.rows(), 3u);
  EXPECT_EQ(forecast.samples(), 4u);
  EXPECT_EQ(forecast.targets(), 2u);
  EXPECT_EQ(forecast.target_names(), (std::vector<std::string>{"a", "b"}));
  double value = 0;
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t target = 0; target < 2; ++target)
      for (double& draw : forecast.row_samples(row, target)) draw = value++;
  const Predictive& same = forecast;
  EXPECT_EQ(same.row_samples(2, 1).size(), 4u);
  EXPECT_EQ(same.row_samples(2, 1)[0], 20);
  EXPECT_EQ(same.row_samples(0, 1)[3], 7);
  EXPECT_EQ(same.row_samples(0, 0).data() + 4, same.row_samples(0, 1).data());
  EXPECT_DOUBLE_EQ(same.mean(1, 0), 9.5);
  EXPECT_EQ(same.joint_samples(1), (std::vector<double>{8, 12, 9, 13, 10, 14, 11, 15}));
}

TEST(Predictive, MeanAndSpread) {
  const Predictive forecast = one_row({1, 2, 3, 6});
  EXPECT_DOUBLE_EQ(forecast.mean(0), 3);
  EXPECT_DOUBLE_EQ(forecast.sd(0), std::sqrt(14.0 / 3));
  EXPECT_EQ(one_row({5}).sd(0), 0);
}

// numpy.quantile(draws, [0, .05, .1, .25, .333, .5, .9, .95, 1]), numpy 2.4.6
TEST(Predictive, QuantilesAreNumpys) {
  const Predictive forecast = one_row(kDraws);
  const std::vector<double> levels = {0, 0.05, 0.1, 0.25, 0.333, 0.5, 0.9, 0.95, 1};
  const std::vector<double> expected = {
      -2.0, -1.5875, -1.1375, 0.015625, 0.18681250000000005, 0.5, 2.6625000000000005, 3.0874999999999995,
      3.5};
  const std::vector<double> found = forecast.quantiles(levels, 0);
  ASSERT_EQ(found.size(), levels.size());
  for (std::size_t i = 0; i < levels.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], 1e-14) << levels[i];
    EXPECT_EQ(forecast.quantile(levels[i], 0), found[i]) << levels[i];
  }
  EXPECT_NEAR(forecast.interval(0.9, 0).first, found[1], 1e-14);
  EXPECT_NEAR(forecast.interval(0.9, 0).second, found[7], 1e-14);
  EXPECT_EQ(forecast.interval(1, 0), (std::pair{-2.0, 3.5}));
}

TEST(Predictive, OneDrawIsItsEveryQuantile) {
  const Predictive forecast = one_row({1.5f});
  for (const double level : {0.0, 0.3, 1.0}) EXPECT_EQ(forecast.quantile(level, 0), 1.5);
  EXPECT_EQ(forecast.interval(0.5, 0), (std::pair{1.5, 1.5}));
}

TEST(Predictive, CdfCountsDrawsAtOrBelow) {
  const Predictive forecast = one_row({1, 2, 2, 5});
  EXPECT_EQ(forecast.cdf(0.5, 0), 0);
  EXPECT_EQ(forecast.cdf(2, 0), 0.75);
  EXPECT_EQ(forecast.cdf(4.9, 0), 0.75);
  EXPECT_EQ(forecast.cdf(std::numeric_limits<double>::infinity(), 0), 1);
}

// scipy.stats.gaussian_kde(draws).pdf([-3, 0, 0.5, 1.3, 6]), scipy 1.17.1
TEST(Predictive, DensityIsScipys) {
  const Predictive forecast = one_row(kDraws);
  const double at[] = {-3.0, 0.0, 0.5, 1.3, 6.0};
  const double expected[] = {0.026867583011089925, 0.23599937249796787, 0.2523497967659016,
                             0.2011517798852962, 0.0010786077726908773};
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(forecast.density(at[i], 0), expected[i], 1e-13);
}

TEST(Predictive, DensityIntegratesToOneEvenWithoutSpread) {
  Stream stream(5, Purpose::kTest);
  std::vector<double> draws(200);
  for (double& draw : draws) draw = static_cast<float>(stream.normal());
  const Predictive spread = one_row(draws), point = one_row({3, 3, 3});
  double sum = 0;
  for (double y = -8; y < 8; y += 0.01) sum += 0.01 * spread.density(y, 0);
  EXPECT_NEAR(sum, 1, 1e-9);
  // The floor is a kernel of width 1e-13 · 3.
  sum = 0;
  for (int i = -300; i < 300; ++i) sum += 1e-14 * point.density(3 + 1e-14 * i, 0);
  EXPECT_NEAR(sum, 1, 0.05);  // the steps are of a few roundings
  EXPECT_EQ(point.density(4, 0), 0);
}

TEST(Predictive, ProbabilityLooksAtJointDraws) {
  Predictive forecast(2, 4, {"a", "b"});
  const float a[] = {1, 2, 3, 4}, b[] = {4, 3, 2, 1};
  std::copy(a, a + 4, forecast.row_samples(1, 0).begin());
  std::copy(b, b + 4, forecast.row_samples(1, 1).begin());
  EXPECT_EQ(forecast.probability(1, [](std::span<const double> y) { return y[0] > y[1]; }), 0.5);
  EXPECT_EQ(forecast.probability(1, [](std::span<const double> y) { return y[0] + y[1] == 5; }), 1);
  EXPECT_EQ(forecast.probability(1, [](std::span<const double> y) { return y[0] > 2 && y[1] > 2; }), 0);
  EXPECT_EQ(forecast.probability(0, [](std::span<const double> y) { return y.size() == 2 && y[0] == 0; }), 1);
}

TEST(Predictive, RefusesWithBothNumbers) {
  const Predictive forecast(10, 5, {"a", "b"});
  EXPECT_EQ(refusal([&] { forecast.mean(12); }), "row 12 does not exist: the forecast has 10 rows");
  EXPECT_EQ(refusal([&] { forecast.row_samples(0, 2); }),
            "target 2 does not exist: the forecast has 2 targets");
  EXPECT_EQ(refusal([&] { forecast.quantile(1.5, 0); }), "level 1.5 is out of range: use 0 to 1");
  EXPECT_EQ(refusal([&] {
              forecast.quantiles(std::vector{0.5, -0.1}, 0);
            }),
            "level -0.1 is out of range: use 0 to 1");
  EXPECT_EQ(refusal([&] { forecast.interval(90, 0); }), "coverage 90 is out of range: use 0 to 1");
  EXPECT_EQ(refusal([&] { forecast.quantile(std::nan(""), 0); }), "level nan is out of range: use 0 to 1");
  EXPECT_EQ(refusal([&] { forecast.cdf(std::nan(""), 0); }), "y is nan: give a number");
  EXPECT_NE(refusal([&] { forecast.probability(10, [](auto) { return true; }); }), "");
  EXPECT_NE(refusal([] { Predictive(3, 0, {"y"}); }), "");
  EXPECT_NE(refusal([] { Predictive(3, 5, {}); }), "");
  EXPECT_NE(refusal([] { Predictive().mean(0); }), "");
}

TEST(Predictive, RefusesDrawsThatAreNoNumbers) {
  const Predictive forecast = one_row({1, 2, std::numeric_limits<float>::quiet_NaN(), 4});
  EXPECT_EQ(refusal([&] { forecast.quantile(0.5, 0); }), "sample 2 of 4 is nan, not a finite number");
  EXPECT_NE(refusal([&] { forecast.interval(0.5, 0); }), "");
  EXPECT_NE(refusal([&] { forecast.density(0.5, 0); }), "");
}

}  // namespace
}  // namespace mirrorball
