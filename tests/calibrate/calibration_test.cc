#include "calibrate/calibration.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.h"
#include "calibrate/fit_calibration.h"
#include "mirrorball/score.h"

namespace mirrorball {
namespace {

std::vector<double> corrected(const Calibration& calibration, std::vector<double> draws,
                              std::size_t networks) {
  calibrate::CalibrationScratch scratch;
  calibrate::apply(calibration, networks, draws, scratch);
  return draws;
}

TEST(Calibration, NothingToDoChangesNothing) {
  const std::vector<double> draws = {3, 1, 2};
  EXPECT_EQ(corrected({}, draws, 3), draws);
}

TEST(Calibration, TheFactorStretchesTheNetworksOnly) {
  const Calibration calibration{.spread = 2};
  // Median of 1, 3, 5 is 3; the forest's 10 and 11 stay.
  EXPECT_EQ(corrected(calibration, {5, 1, 3, 10, 11}, 3), (std::vector<double>{7, -1, 3, 10, 11}));
  // With an even number the median lies between the two in the middle.
  EXPECT_EQ(corrected(calibration, {4, 0}, 2), (std::vector<double>{6, -2}));
}

TEST(Calibration, TailsAreSpreadOverTheRanks) {
  std::vector<double> draws(100);
  std::iota(draws.begin(), draws.end(), 0.0);
  std::reverse(draws.begin(), draws.end());
  const std::vector<double> wide = corrected({.tail_weight = 0.04, .tail_spread = 3}, draws, 100);
  int moved = 0;
  for (std::size_t i = 0; i < 100; ++i) {
    if (wide[i] == draws[i]) continue;
    ++moved;
    EXPECT_DOUBLE_EQ(wide[i], 49.5 + 3 * (draws[i] - 49.5));
  }
  EXPECT_EQ(moved, 4);  // ranks 12, 37, 62 and 87
  EXPECT_NE(wide[99 - 12], draws[99 - 12]);
  EXPECT_NE(wide[99 - 87], draws[99 - 87]);
}

TEST(Calibration, LevelsStretchOutsideTheCentralHalf) {
  std::vector<double> draws(1000);
  for (std::size_t i = 0; i < draws.size(); ++i)
    draws[i] = (static_cast<double>(i) + 0.5) / 500 - 1;  // 2 t - 1
  const std::vector<double> wide = corrected({.interval = 2}, draws, draws.size());
  for (std::size_t i = 0; i < draws.size(); ++i) {
    const double place = std::abs(draws[i]), expected = place <= 0.5   ? 1
                                                        : place >= 0.9 ? 2
                                                                       : 1 + (place - 0.5) / 0.4;
    EXPECT_NEAR(wide[i] / draws[i], expected, 1e-9);
  }
}

/// Rows whose truth is N(middle, 1) with a middle of their own. Networks and forest know the middle, up to an
/// error of theirs, and are normal with a spread of theirs.
calibrate::HeldOut normal_rows(std::size_t rows, double network_sd, double forest_error, std::uint64_t seed) {
  calibrate::HeldOut held;
  held.rows = rows;
  held.network_draws = 200;
  held.forest_draws = forest_error < 0 ? 0 : 100;
  std::vector<double> unit = {0.0, 1.0};
  held.transform = encode::NumberTransform(Transform::kStandard, unit);
  Stream random(seed, Purpose::kTest);
  for (std::size_t row = 0; row < rows; ++row) {
    const double middle = 3 * random.normal();
    for (std::size_t i = 0; i < held.network_draws; ++i)
      held.network.push_back(static_cast<float>(middle + network_sd * random.normal()));
    std::sort(held.network.end() - static_cast<std::ptrdiff_t>(held.network_draws), held.network.end());
    std::vector<float> forest;
    for (std::size_t i = 0; i < held.forest_draws; ++i)
      forest.push_back(static_cast<float>(middle + forest_error + random.normal()));
    std::sort(forest.begin(), forest.end());
    held.forest.insert(held.forest.end(), forest.begin(), forest.end());
    held.truth.push_back(middle + random.normal());
    held.transformed_truth.push_back(held.truth.back());
    held.weight.push_back(1);
  }
  return held;
}

/// With the forest's least weight as the plan sets it.
Calibration scale(const calibrate::HeldOut& rows) {
  ThreadPool pool(2);
  return calibrate::fit_scale(rows, std::min(0.1, 10.0 / static_cast<double>(rows.rows)), pool);
}

TEST(Calibration, FindsTheSpread) {
  ThreadPool pool(2);
  EXPECT_NEAR(scale(normal_rows(3000, 1 / 1.4, -1, 1)).spread, 1.4, 0.11);
  EXPECT_NEAR(scale(normal_rows(3000, 1 / 0.8, -1, 2)).spread, 0.8, 0.11);
  EXPECT_EQ(scale(normal_rows(100, 1, -1, 3)).forest_weight, 0);
}

TEST(Calibration, FindsTheForestsShare) {
  ThreadPool pool(2);
  const Calibration good = scale(normal_rows(1000, 6, 0, 4));  // spread far too wide for any factor
  EXPECT_GE(good.forest_weight, 0.8);
  const Calibration bad = scale(normal_rows(1000, 1, 5, 5));
  EXPECT_EQ(bad.forest_weight, 0.01);  // the least: 10 of 1000 rows
  EXPECT_EQ(scale(normal_rows(50, 1, 5, 6)).forest_weight, 0.1);
}

/// The slow way: every pool written out, every pair of draws compared.
TEST(Calibration, TheChoiceIsTheBestOfAllPools) {
  ThreadPool pool(1);
  const calibrate::HeldOut rows = normal_rows(40, 0.7, 0.5, 7);
  const Calibration chosen = scale(rows);
  const auto slow = [&](double share, double factor) {
    double sum = 0;
    for (std::size_t row = 0; row < rows.rows; ++row) {
      std::vector<double> network(rows.network_of(row).begin(), rows.network_of(row).end());
      network = corrected({.spread = factor}, network, network.size());
      const auto mean_distance = [](const auto& a, const auto& b) {
        double total = 0;
        for (const double x : a)
          for (const double y : b) total += std::abs(x - y);
        return total / static_cast<double>(a.size() * b.size());
      };
      const std::vector<double> forest(rows.forest_of(row).begin(), rows.forest_of(row).end()),
          truth = {rows.truth[row]};
      const double q = 1 - share;
      sum += q * mean_distance(network, truth) + share * mean_distance(forest, truth) -
             0.5 * (q * q * mean_distance(network, network) + 2 * share * q * mean_distance(network, forest) +
                    share * share * mean_distance(forest, forest));
    }
    return sum;
  };
  const double best = slow(chosen.forest_weight, chosen.spread);
  for (double share : {0.1, 0.2, 0.3, 0.5, 0.7, 0.9})
    for (double factor : {0.8, 1.0, 1.2, 1.4, 1.6, 1.8}) EXPECT_LE(best, slow(share, factor) + 1e-6);
}

TEST(Calibration, TailsComeWithFewRowsOrWhereTruthHasThem) {
  ThreadPool pool(2);
  Calibration few, many, heavy;
  calibrate::fit_tails(normal_rows(60, 1, -1, 8), true, pool, few);
  EXPECT_GT(few.tail_weight, 0);
  calibrate::fit_tails(normal_rows(1000, 1, -1, 9), false, pool, many);
  EXPECT_LE(many.tail_weight * many.tail_spread, 0.08);
  calibrate::HeldOut rows = normal_rows(1000, 1, -1, 10);
  for (std::size_t row = 0; row < rows.rows; row += 40) rows.truth[row] += row % 80 == 0 ? 6 : -6;
  calibrate::fit_tails(rows, false, pool, heavy);
  EXPECT_GT(heavy.tail_weight, 0);
  EXPECT_GE(heavy.tail_spread, 3);
}

double covered(const calibrate::HeldOut& rows, const Calibration& calibration) {
  double inside = 0;
  for (std::size_t row = 0; row < rows.rows; ++row) {
    std::vector<double> draws(rows.network_of(row).begin(), rows.network_of(row).end());
    draws = corrected(calibration, draws, draws.size());
    Predictive one(1, draws.size(), {"y"});
    std::copy(draws.begin(), draws.end(), one.draws(0).begin());
    const auto [low, high] = one.interval(0.9, 0);
    inside += low <= rows.truth[row] && rows.truth[row] <= high;
  }
  return inside / static_cast<double>(rows.rows);
}

/// The promise of split conformal prediction: averaged over calibration sets, new rows are covered with 90%
/// or a little more, however wrong the networks' spread is and however few the rows are.
TEST(Calibration, LevelsKeepTheirPromiseOnNewRows) {
  ThreadPool pool(2);
  for (double network_sd : {0.5, 1.5}) {
    double sum = 0;
    constexpr int kSets = 60;
    for (int set = 0; set < kSets; ++set) {
      Calibration calibration;
      calibrate::fit_interval(normal_rows(39, network_sd, -1, 100 + static_cast<std::uint64_t>(set)),
                              calibrate::kPoolDraws, pool, calibration);
      sum += covered(normal_rows(150, network_sd, -1, 1000 + static_cast<std::uint64_t>(set)), calibration);
    }
    // The standard error of the mean is about 0.007: rows of a set share its factor.
    EXPECT_GE(sum / kSets, 0.9 - 0.02) << network_sd;
    EXPECT_LE(sum / kSets, 0.9 + 1.0 / 39 + 0.03) << network_sd;
  }
}

TEST(Calibration, DoesNotDependOnThreads) {
  const calibrate::HeldOut rows = normal_rows(300, 0.7, 0.3, 11);
  std::vector<Calibration> results;
  for (unsigned threads : {1u, 3u}) {
    ThreadPool pool(threads);
    Calibration calibration = scale(rows);
    calibrate::fit_tails(rows, false, pool, calibration);
    calibrate::fit_interval(rows, calibrate::kPoolDraws, pool, calibration);
    results.push_back(calibration);
  }
  EXPECT_EQ(results[0].forest_weight, results[1].forest_weight);
  EXPECT_EQ(results[0].spread, results[1].spread);
  EXPECT_EQ(results[0].tail_weight, results[1].tail_weight);
  EXPECT_EQ(results[0].tail_spread, results[1].tail_spread);
  EXPECT_EQ(results[0].interval, results[1].interval);
}

TEST(Calibration, WeightsCount) {
  ThreadPool pool(1);
  calibrate::HeldOut rows = normal_rows(2000, 1, -1, 12);
  for (std::size_t row = 0; row < 1000; ++row) {
    rows.transformed_truth[row] = rows.truth[row] = 1000;
    rows.weight[row] = 0;
  }
  EXPECT_NEAR(scale(rows).spread, 1.0, 0.11);
}

}  // namespace
}  // namespace mirrorball
