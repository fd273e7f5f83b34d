#include "calibrate/calibration.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>

#include "base/normal.h"
#include "base/random.h"
#include "calibrate/fit_interval.h"
#include "calibrate/fit_tails.h"
#include "calibrate/fit_weights.h"
#include "calibrate/widening.h"
#include "mirrorball/score.h"
#include "plan/rules.h"

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

/// Rows whose truth is N(middle, 1) with a middle of their own. Networks, forest and process know the middle,
/// up to an error of theirs (below 0: there is none), and are normal with a spread of theirs.
calibrate::HeldOut normal_rows(std::size_t rows, double network_sd, double forest_error, std::uint64_t seed,
                               double process_error = -1) {
  calibrate::HeldOut held;
  held.rows = rows;
  held.network.count = 200;
  held.forest.count = forest_error < 0 ? 0 : 100;
  held.process.count = process_error < 0 ? 0 : 100;
  std::vector<double> unit = {0.0, 1.0};
  held.transform = encode::NumberTransform(Transform::kStandard, unit);
  Stream random(seed, Purpose::kTest);
  for (std::size_t row = 0; row < rows; ++row) {
    const double middle = 3 * random.normal();
    const auto add = [&](calibrate::HeldOut::Draws& to, double error, double sd) {
      std::vector<float> draws(to.count);
      for (float& draw : draws) draw = static_cast<float>(middle + error + sd * random.normal());
      std::sort(draws.begin(), draws.end());
      to.add(draws);
    };
    add(held.network, 0, network_sd);
    add(held.forest, forest_error, 1);
    add(held.process, process_error, 1);
    held.truth.push_back(middle + random.normal());
    held.transformed_truth.push_back(held.truth.back());
    held.weight.push_back(1);
  }
  return held;
}

/// With the forest's least weight as the plan sets it.
Calibration scale(const calibrate::HeldOut& rows) {
  ThreadPool pool(2);
  return calibrate::fit_scale(rows, {.least_forest = std::min(0.1, 10.0 / static_cast<double>(rows.rows))}, 0,
                              pool);
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

TEST(Calibration, FindsTheShareOfTheProcess) {
  const Calibration good = scale(normal_rows(1000, 6, 2, 4, 0));
  EXPECT_GE(good.process_weight, 0.8);
  EXPECT_LE(good.forest_weight + good.process_weight, 0.9 + 1e-12) << "the networks keep a tenth";
  EXPECT_EQ(scale(normal_rows(1000, 1, 0, 5, 5)).process_weight, 0);
}

TEST(Calibration, MovesEachSourceTowardsTheBoostedMean) {
  std::vector<double> pool = {0, 2, 4, 10, 20, 7};
  calibrate::move_towards(6, 0.5, {.networks = 3, .forest = 2, .process = 1}, pool);
  EXPECT_EQ(pool, (std::vector<double>{2, 4, 6, 5.5, 15.5, 6.5}));
  std::vector<double> still = {1, 2};
  calibrate::move_towards(100, 0, {.networks = 1, .forest = 1}, still);
  EXPECT_EQ(still, (std::vector<double>{1, 2}));
}

/// Networks and boosted trees are wrong about the middle, independently, by errors of these sizes.
calibrate::HeldOut boosted_rows(std::size_t rows, double network_error, double boost_error) {
  calibrate::HeldOut held = normal_rows(rows, 1, -1, 8);
  Stream random(9, Purpose::kTest);
  for (std::size_t row = 0; row < rows; ++row) {
    const double middle = 3 * random.normal(), error = network_error * random.normal();
    held.truth[row] = held.transformed_truth[row] = middle + random.normal();
    std::vector<float> draws(held.network.count);
    for (std::size_t i = 0; i < draws.size(); ++i)
      draws[i] = static_cast<float>(
          middle + error +
          normal_quantile((static_cast<double>(i) + 0.5) / static_cast<double>(draws.size())));
    std::copy(draws.begin(), draws.end(),
              held.network.values.begin() + static_cast<std::ptrdiff_t>(row * draws.size()));
    held.boosted.push_back(middle + boost_error * random.normal());
  }
  return held;
}

TEST(Calibration, FindsTheWeightOfBoostedTrees) {
  ThreadPool pool(2);
  const auto weight = [&](const calibrate::HeldOut& rows) {
    return calibrate::fit_boost_weight(rows, {}, pool);
  };
  // The mean with the least variance weighs by the inverse of it: 1 / (1 + 0.25) and 0.25 / 1.25.
  EXPECT_NEAR(weight(boosted_rows(3000, 1, 0.5)), 0.8, 0.15);
  EXPECT_NEAR(weight(boosted_rows(3000, 0.5, 1)), 0.2, 0.13);
  EXPECT_EQ(weight(boosted_rows(3000, 0, 2)), 0);
  EXPECT_LT(weight(boosted_rows(60, 0.5, 1)), weight(boosted_rows(3000, 0.5, 1))) << "few rows may be chance";
  EXPECT_EQ(weight(normal_rows(100, 1, -1, 3)), 0) << "there are none";
}

/// Two of ten networks, each normal around a middle of its own: what the ten would be wider, from all pairs
/// of draws.
TEST(Calibration, FewNetworksTellHowWideManyAre) {
  constexpr std::size_t kDraws = 300, kAll = 10;
  Stream random(3, Purpose::kTest);
  double told = 0, true_ratio = 0;
  constexpr int kRows = 60;
  for (int row = 0; row < kRows; ++row) {
    std::vector<float> all;
    for (std::size_t network = 0; network < kAll; ++network) {
      const double middle = 1.5 * random.normal();
      for (std::size_t i = 0; i < kDraws; ++i) all.push_back(static_cast<float>(middle + random.normal()));
    }
    const std::span<const float> few(all.data(), 2 * kDraws);
    const auto slow = [](std::span<const float> draws) {
      double sum = 0;
      for (const float a : draws)
        for (const float b : draws) sum += std::abs(static_cast<double>(a - b));
      return sum / static_cast<double>(draws.size() * draws.size());
    };
    const double width = slow(few);
    told += calibrate::widening(few, 2, kAll) * width / kRows;
    true_ratio += slow(std::span<const float>(all).subspan(0, all.size())) / kRows;
  }
  EXPECT_NEAR(told / true_ratio, 1, 0.12);
  const std::vector<float> same = {0, 1, 2, 3, 0, 1, 2, 3};
  EXPECT_EQ(calibrate::widening(same, 2, 10), 1) << "networks that agree";
  EXPECT_EQ(calibrate::widening(same, 1, 10), 1) << "one says nothing of others";
}

TEST(Calibration, APoolHasItsParts) {
  const calibrate::PoolParts parts = calibrate::pool_parts({.forest_weight = 0.2, .process_weight = 0.5}, 50);
  EXPECT_EQ(parts.networks, 15u);
  EXPECT_EQ(parts.forest, 10u);
  EXPECT_EQ(parts.process, 25u);
}

/// The slow way: every pool written out, every pair of draws compared.
TEST(Calibration, TheChoiceIsTheBestOfAllPools) {
  const calibrate::HeldOut rows = normal_rows(40, 0.7, 0.5, 7, 0.4);
  const Calibration chosen = scale(rows);
  const auto mean_distance = [](const auto& a, const auto& b) {
    double total = 0;
    for (const double x : a)
      for (const double y : b) total += std::abs(x - y);
    return total / static_cast<double>(a.size() * b.size());
  };
  const auto slow = [&](const Calibration& calibration) {
    const double weights[] = {1 - calibration.forest_weight - calibration.process_weight,
                              calibration.forest_weight, calibration.process_weight};
    double sum = 0;
    for (std::size_t row = 0; row < rows.rows; ++row) {
      std::vector<std::vector<double>> sources;
      for (const auto* draws : {&rows.network, &rows.forest, &rows.process})
        sources.emplace_back(draws->of(row).begin(), draws->of(row).end());
      sources[0] = corrected({.spread = calibration.spread}, sources[0], sources[0].size());
      const std::vector<double> truth = {rows.truth[row]};
      for (std::size_t a = 0; a < 3; ++a) {
        sum += weights[a] * mean_distance(sources[a], truth);
        for (std::size_t b = 0; b < 3; ++b)
          sum -= 0.5 * weights[a] * weights[b] * mean_distance(sources[a], sources[b]);
      }
    }
    return sum;
  };
  const double best = slow(chosen);
  for (double forest : {0.1, 0.3, 0.6})
    for (double process : {0.0, 0.1, 0.3})
      for (double factor : {0.8, 1.0, 1.2, 1.5, 1.8})
        EXPECT_LE(best, slow({.forest_weight = forest, .process_weight = process, .spread = factor}) + 1e-6);
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
    std::vector<double> draws(rows.network.of(row).begin(), rows.network.of(row).end());
    draws = corrected(calibration, draws, draws.size());
    Predictive one(1, draws.size(), {"y"});
    std::copy(draws.begin(), draws.end(), one.row_samples(0).begin());
    const auto [low, high] = one.interval(0.9, 0);
    inside += low <= rows.truth[row] && rows.truth[row] <= high;
  }
  return inside / static_cast<double>(rows.rows);
}

/// Of simulated data sets: 60, or as many as MIRRORBALL_DATA_SETS says, for the thousands of
/// docs/reliability.md.
int data_sets() {
  const char* const given = std::getenv("MIRRORBALL_DATA_SETS");
  return given ? std::atoi(given) : 60;
}

/// The promise of split conformal prediction: averaged over calibration sets, new rows are covered with 90%
/// or a little more, however wrong the networks' spread is and however few the rows are.
TEST(Calibration, LevelsKeepTheirPromiseOnNewRows) {
  ThreadPool pool(2);
  const int sets = data_sets();
  for (double network_sd : {0.5, 1.5}) {
    double sum = 0, squares = 0;
    for (int set = 0; set < sets; ++set) {
      Calibration calibration;
      const auto seed = static_cast<std::uint64_t>(set);
      calibrate::fit_interval(normal_rows(39, network_sd, -1, 2 * seed), plan::kPoolDraws, false, pool,
                              calibration);
      const double share = covered(normal_rows(150, network_sd, -1, 2 * seed + 1), calibration);
      sum += share;
      squares += share * share;
    }
    // Rows of a set share its factor, so the sets are what varies.
    const double mean = sum / sets, error = std::sqrt((squares / sets - mean * mean) / sets);
    EXPECT_GE(mean, 0.9 - 3 * error) << network_sd;
    EXPECT_LE(mean, 0.9 + 1.0 / 39 + 3 * error) << network_sd;
    std::printf("%d data sets, spread of the networks %g: 90%% intervals cover %.2f%% +- %.2f%%\n", sets,
                network_sd, 100 * mean, 100 * error);
  }
}

/// The sum of the CRPS over the rows, corrected or not.
double crps(const calibrate::HeldOut& rows, const Calibration& calibration) {
  double sum = 0;
  for (std::size_t row = 0; row < rows.rows; ++row) {
    std::vector<double> draws(rows.network.of(row).begin(), rows.network.of(row).end());
    draws = corrected(calibration, draws, draws.size());
    Predictive one(1, draws.size(), {"y"});
    std::copy(draws.begin(), draws.end(), one.row_samples(0).begin());
    sum += score(one, std::vector<double>{rows.truth[row]}).targets[0].crps.mean;
  }
  return sum;
}

/// Networks that are right need no correction, and what 200 rows suggest all the same costs little on new
/// rows: below 1% of the CRPS. Networks whose spread is half of what it should be gain.
/// Forecasts that are right: counts with a mean of their own for each row, and a truth that is one of the
/// draws.
calibrate::HeldOut count_rows(std::size_t rows) {
  Stream random(5, Purpose::kTest);
  const auto count = [&](double mean) {
    int events = -1;
    for (double time = 0; time < mean; ++events) time -= std::log(1 - random.uniform_double());
    return static_cast<double>(events);
  };
  const auto mean = [&] { return 1 + 3 * random.uniform_double(); };
  std::vector<double> known(1000);
  for (double& value : known) value = count(mean());
  std::sort(known.begin(), known.end());
  calibrate::HeldOut held;
  held.rows = rows;
  held.network.count = 400;
  held.transform = encode::NumberTransform(Transform::kQuantile, known);
  for (std::size_t row = 0; row < rows; ++row) {
    const double own = mean();
    std::vector<float> draws(held.network.count);
    for (float& draw : draws) draw = static_cast<float>(held.transform.forward(count(own)));
    std::sort(draws.begin(), draws.end());
    held.network.add(draws);
    held.truth.push_back(std::min(count(own), known.back()));
    held.transformed_truth.push_back(held.transform.forward(held.truth.back()));
    held.weight.push_back(1);
  }
  return held;
}

TEST(Calibration, CountsThatAreRightStayAsTheyAre) {
  ThreadPool pool(2);
  const calibrate::HeldOut counts = count_rows(1000);
  Calibration closed, by_rank;
  EXPECT_TRUE(calibrate::values_repeat(counts, plan::kPoolDraws, pool, {}));
  EXPECT_FALSE(calibrate::values_repeat(normal_rows(100, 1, -1, 3), plan::kPoolDraws, pool, {}));
  calibrate::fit_interval(counts, plan::kPoolDraws, false, pool, closed);
  calibrate::fit_interval(counts, plan::kPoolDraws, true, pool, by_rank);
  EXPECT_LT(closed.interval, 0.9) << "closed intervals of counts hold more than 90% when they are right";
  EXPECT_GT(by_rank.interval, 0.9);
  const calibrate::HeldOut narrow = normal_rows(300, 0.5, -1, 4);
  calibrate::fit_interval(narrow, plan::kPoolDraws, false, pool, closed);
  calibrate::fit_interval(narrow, plan::kPoolDraws, true, pool, by_rank);
  EXPECT_GT(closed.interval, 1.5);
  EXPECT_EQ(by_rank.interval, closed.interval) << "what is too narrow is widened as ever";
}

TEST(Calibration, DoesNoHarm) {
  for (double network_sd : {1.0, 0.5}) {
    double before = 0, after = 0;
    for (int set = 0; set < data_sets() / 6; ++set) {
      ThreadPool pool(2);
      const auto seed = static_cast<std::uint64_t>(set);
      const calibrate::HeldOut rows = normal_rows(200, network_sd, -1, 5000 + 2 * seed),
                               fresh = normal_rows(100, network_sd, -1, 5001 + 2 * seed);
      Calibration calibration = scale(rows);
      calibrate::fit_tails(rows, false, pool, calibration);
      calibrate::fit_interval(rows, plan::kPoolDraws, false, pool, calibration);
      before += crps(fresh, {});
      after += crps(fresh, calibration);
    }
    EXPECT_LT(after, before * (network_sd == 1 ? 1.01 : 0.97)) << network_sd;
    std::printf("spread of the networks %g: calibration changes the CRPS by %+.2f%%\n", network_sd,
                100 * (after / before - 1));
  }
}

TEST(Calibration, DoesNotDependOnThreads) {
  const calibrate::HeldOut rows = normal_rows(300, 0.7, 0.3, 11, 0.2);
  std::vector<Calibration> results;
  for (unsigned threads : {1u, 3u}) {
    ThreadPool pool(threads);
    Calibration calibration = scale(rows);
    calibrate::fit_tails(rows, false, pool, calibration);
    calibrate::fit_interval(rows, plan::kPoolDraws, false, pool, calibration);
    results.push_back(calibration);
  }
  EXPECT_EQ(results[0].forest_weight, results[1].forest_weight);
  EXPECT_EQ(results[0].process_weight, results[1].process_weight);
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
