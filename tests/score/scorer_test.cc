#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.h"
#include "mirrorball/score.h"
#include "reference/refusal.h"
#include "score/slow_scores.h"

namespace mirrorball {
namespace {

struct Case {
  Predictive forecast;
  std::vector<double> observed;
};

/// Each row has its own place and spread; the observed values follow the same law.
Case normal_case(std::size_t rows, std::size_t samples, std::vector<std::string> targets) {
  Case made{Predictive(rows, samples, targets), {}};
  for (std::size_t row = 0; row < rows; ++row) {
    Stream stream(3, Purpose::kTest, static_cast<std::uint32_t>(row));
    const double place = 10 * stream.normal(), spread = 0.5 + stream.uniform();
    for (std::size_t target = 0; target < targets.size(); ++target) {
      for (double& draw : made.forecast.row_samples(row, target))
        draw = static_cast<float>(place + spread * stream.normal());
      made.observed.push_back(place + spread * stream.normal());
    }
  }
  return made;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

/// All scores of one target again, row by row through the public functions.
TargetScores slow_target(const Case& c, std::size_t target, const std::vector<double>& levels) {
  const Predictive& forecast = c.forecast;
  const double n = static_cast<double>(forecast.rows());
  TargetScores out;
  std::vector<double> crps_values, nll_values;
  std::array<double, 10> bins{};
  out.intervals.resize(levels.size());
  for (std::size_t row = 0; row < forecast.rows(); ++row) {
    const double y = c.observed[row * forecast.targets() + target];
    const auto floats = forecast.row_samples(row, target);
    const std::vector<double> draws(floats.begin(), floats.end());
    out.mae += std::abs(forecast.quantile(0.5, row, target) - y) / n;
    out.rmse += (forecast.mean(row, target) - y) * (forecast.mean(row, target) - y) / n;
    crps_values.push_back(slow::crps(draws, y));
    nll_values.push_back(slow::kde_nll(draws, y));
    for (std::size_t i = 0; i < levels.size(); ++i) {
      const auto [low, high] = forecast.interval(levels[i], row, target);
      out.intervals[i].coverage += (low <= y && y <= high) / n;
      out.intervals[i].width += (high - low) / n;
    }
    int bin = 0;
    for (int k = 1; k < 10; ++k) bin += forecast.quantile(k / 10.0, row, target) < y;
    bins[static_cast<std::size_t>(bin)] += 1 / n;
    out.pit[std::min<std::size_t>(9, static_cast<std::size_t>(10 * pit(draws, y)))] += 1 / n;
  }
  for (const double share : bins) out.qice += std::abs(share - 0.1) / 10;
  out.rmse = std::sqrt(out.rmse);
  for (std::size_t i = 0; i < crps_values.size(); ++i) {
    out.crps.mean += crps_values[i] / n;
    out.nll.mean += nll_values[i] / n;
  }
  out.crps.median = median(crps_values);
  out.nll.median = median(nll_values);
  return out;
}

void expect_near(const TargetScores& a, const TargetScores& b) {
  EXPECT_NEAR(a.mae, b.mae, 1e-12);
  EXPECT_NEAR(a.rmse, b.rmse, 1e-12);
  EXPECT_NEAR(a.crps.mean, b.crps.mean, 1e-12);
  EXPECT_NEAR(a.crps.median, b.crps.median, 1e-12);
  EXPECT_NEAR(a.nll.mean, b.nll.mean, 1e-10);
  EXPECT_NEAR(a.nll.median, b.nll.median, 1e-10);
  EXPECT_NEAR(a.qice, b.qice, 1e-12);
  for (int i = 0; i < 10; ++i) EXPECT_NEAR(a.pit[i], b.pit[i], 1e-12);
  ASSERT_EQ(a.intervals.size(), b.intervals.size());
  for (std::size_t i = 0; i < a.intervals.size(); ++i) {
    EXPECT_NEAR(a.intervals[i].coverage, b.intervals[i].coverage, 1e-12);
    EXPECT_NEAR(a.intervals[i].width, b.intervals[i].width, 1e-12);
  }
}

void expect_same(const Scores& a, const Scores& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.samples, b.samples);
  EXPECT_EQ(a.energy_score.mean, b.energy_score.mean);
  EXPECT_EQ(a.energy_score.median, b.energy_score.median);
  ASSERT_EQ(a.targets.size(), b.targets.size());
  for (std::size_t t = 0; t < a.targets.size(); ++t) {
    const TargetScores &x = a.targets[t], &y = b.targets[t];
    EXPECT_EQ(x.name, y.name);
    EXPECT_EQ(x.mae, y.mae);
    EXPECT_EQ(x.rmse, y.rmse);
    EXPECT_EQ(x.crps.mean, y.crps.mean);
    EXPECT_EQ(x.crps.median, y.crps.median);
    EXPECT_EQ(x.nll.mean, y.nll.mean);
    EXPECT_EQ(x.nll.median, y.nll.median);
    EXPECT_EQ(x.nll_floored, y.nll_floored);
    EXPECT_EQ(x.qice, y.qice);
    EXPECT_EQ(x.pit, y.pit);
    for (std::size_t i = 0; i < x.intervals.size(); ++i) {
      EXPECT_EQ(x.intervals[i].level, y.intervals[i].level);
      EXPECT_EQ(x.intervals[i].coverage, y.intervals[i].coverage);
      EXPECT_EQ(x.intervals[i].width, y.intervals[i].width);
    }
  }
}

TEST(Scorer, IsItsSlowTwin) {
  const Case c = normal_case(300, 41, {"a", "b"});
  const std::vector<double> levels = {0.5, 0.9, 0.25};
  Scorer scorer({"a", "b"}, levels, 2);
  scorer.add(c.forecast, c.observed);
  const Scores scores = scorer.finish();
  EXPECT_EQ(scores.rows, 300u);
  EXPECT_EQ(scores.samples, 41u);
  ASSERT_EQ(scores.targets.size(), 2u);
  for (std::size_t target = 0; target < 2; ++target) {
    expect_near(scores.targets[target], slow_target(c, target, levels));
    EXPECT_EQ(scores.targets[target].nll_floored, 0u);
    EXPECT_EQ(scores.targets[target].intervals[1].level, 0.9);
  }
  EXPECT_EQ(scores.targets[1].name, "b");
  std::vector<double> energy;
  for (std::size_t row = 0; row < 300; ++row) {
    std::vector<double> joint;
    for (std::size_t i = 0; i < 41; ++i)
      for (std::size_t target = 0; target < 2; ++target)
        joint.push_back(c.forecast.row_samples(row, target)[i]);
    energy.push_back(slow::energy_score(joint, std::span(c.observed).subspan(2 * row, 2)));
  }
  double sum = 0;
  for (const double value : energy) sum += value;
  EXPECT_NEAR(scores.energy_score.mean, sum / 300, 1e-12);
  EXPECT_NEAR(scores.energy_score.median, median(energy), 1e-12);
}

TEST(Scorer, EnergyScoreOfOneTargetIsTheCrps) {
  const Case c = normal_case(101, 30, {"y"});
  const Scores scores = score(c.forecast, c.observed);
  EXPECT_EQ(scores.energy_score.mean, scores.targets[0].crps.mean);
  EXPECT_EQ(scores.energy_score.median, scores.targets[0].crps.median);
}

TEST(Scorer, TrueForecastIsCalibrated) {
  const Case c = normal_case(5000, 100, {"y"});
  const TargetScores scores = score(c.forecast, c.observed).targets[0];
  // Between order statistics of M draws lies (M − 1)/(M + 1) of the level.
  EXPECT_NEAR(scores.intervals[0].coverage, 0.5 * 99 / 101, 0.02);
  EXPECT_NEAR(scores.intervals[1].coverage, 0.9 * 99 / 101, 0.015);
  EXPECT_LT(scores.qice, 0.01);
  for (const double share : scores.pit) EXPECT_NEAR(share, 0.1, 0.02);
}

TEST(Scorer, ThreadsChangeNothing) {
  const Case c = normal_case(333, 50, {"a", "b", "c"});
  std::vector<Scores> scores;
  for (const unsigned threads : {1u, 2u, 7u}) {
    Scorer scorer({"a", "b", "c"}, {0.5, 0.9}, threads);
    scorer.add(c.forecast, c.observed);
    scores.push_back(scorer.finish());
  }
  expect_same(scores[0], scores[1]);
  expect_same(scores[0], scores[2]);
  expect_same(scores[0], score(c.forecast, c.observed));
}

TEST(Scorer, BlocksChangeNothing) {
  const Case c = normal_case(100, 20, {"a", "b"});
  Scorer scorer({"a", "b"});
  for (std::size_t begin = 0; begin < 100;) {
    const std::size_t rows = std::min<std::size_t>(37, 100 - begin);
    Predictive block(rows, 20, {"a", "b"});
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t target = 0; target < 2; ++target)
        std::ranges::copy(c.forecast.row_samples(begin + row, target),
                          block.row_samples(row, target).begin());
    scorer.add(block, std::span(c.observed).subspan(begin * 2, rows * 2));
    begin += rows;
  }
  scorer.add(Predictive(0, 20, {"a", "b"}), {});
  expect_same(scorer.finish(), score(c.forecast, c.observed));
  Scorer moved = std::move(scorer);
  expect_same(moved.finish(), score(c.forecast, c.observed));
}

TEST(Scorer, RowsWithoutSpreadAreCounted) {
  Predictive forecast(3, 4, {"y"});
  const float spread[] = {1, 2, 3, 4};
  std::copy(spread, spread + 4, forecast.row_samples(1).begin());
  const TargetScores scores = score(forecast, std::vector{0.0, 2.5, 7.0}).targets[0];
  EXPECT_EQ(scores.nll_floored, 2u);
  EXPECT_TRUE(std::isfinite(scores.nll.mean));
  EXPECT_NEAR(scores.mae, 7.0 / 3, 1e-15);
}

TEST(Scorer, OneDrawIsAPointForecast) {
  Predictive forecast(2, 1, {"y"});
  forecast.row_samples(0)[0] = 1;
  forecast.row_samples(1)[0] = 5;
  const TargetScores scores = score(forecast, std::vector{1.0, 2.0}).targets[0];
  EXPECT_EQ(scores.mae, 1.5);
  EXPECT_EQ(scores.crps.mean, 1.5);
  EXPECT_EQ(scores.intervals[0].coverage, 0.5);
  EXPECT_EQ(scores.intervals[0].width, 0);
  EXPECT_EQ(scores.pit[5], 0.5);
  EXPECT_EQ(scores.pit[0], 0.5);
}

TEST(Scorer, OuterBinsTakeWhatLiesBeyond) {
  Predictive forecast(4, 11, {"y"});
  for (std::size_t row = 0; row < 4; ++row)
    for (std::size_t i = 0; i < 11; ++i) forecast.row_samples(row)[i] = static_cast<float>(i);
  // Deciles are 1, 2 … 9: below the first, above the last, in the second bin and on its upper edge.
  const TargetScores scores = score(forecast, std::vector{-5.0, 25.0, 1.5, 2.0}).targets[0];
  EXPECT_NEAR(scores.qice, (0.15 + 0.15 + 0.4 + 7 * 0.1) / 10, 1e-15);
  EXPECT_EQ(scores.pit[0], 0.25);
  EXPECT_EQ(scores.pit[9], 0.25);
  EXPECT_EQ(scores.pit[1], 0.25);
  EXPECT_EQ(scores.pit[2], 0.25);
}

// A calibrated forecast of three values: its histogram is flat, as the verdict beside it says.
TEST(Scorer, ThePitOfFewValuesIsSplitAtRandom) {
  constexpr std::size_t kRows = 3000;
  Predictive forecast(kRows, 50, {"y"});
  std::vector<double> observed(kRows);
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::size_t i = 0; i < 50; ++i) forecast.row_samples(row)[i] = i < 35 ? 0.F : i < 45 ? 1.F : 2.F;
    observed[row] = row % 50 < 35 ? 0 : row % 50 < 45 ? 1 : 2;
  }
  const TargetScores scores = score(forecast, observed).targets[0];
  EXPECT_EQ(scores.calibration.verdict, CalibrationCheck::Verdict::kCalibrated);
  for (const double share : scores.pit) EXPECT_NEAR(share, 0.1, 0.03);
}

TEST(Scorer, RefusesWithBothNumbers) {
  const Case c = normal_case(3, 5, {"a", "b"});
  Scorer scorer({"a", "b"});
  EXPECT_EQ(refusal([&] { scorer.finish(); }), "no rows scored: add at least 1");
  EXPECT_EQ(refusal([&] { scorer.add(c.forecast, std::vector<double>(5)); }),
            "5 observed values do not match the forecast: it has 3 rows of 2 targets");
  std::vector<double> gap = c.observed;
  gap[3] = std::nan("");
  EXPECT_EQ(refusal([&] { scorer.add(c.forecast, gap); }),
            "the observed 'b' in row 1 of 3 is nan: remove such rows");
  EXPECT_EQ(refusal([&] { scorer.add(Predictive(3, 5, {"a"}), std::vector<double>(3)); }),
            "the forecast has 1 targets (a), but the scorer has 2 (a, b)");
  Case broken = c;
  broken.forecast.row_samples(2, 0)[4] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(refusal([&] { scorer.add(broken.forecast, broken.observed); }),
            "sample 4 of 5 for target 'a' in row 2 is inf, not a finite number");
  scorer.add(c.forecast, c.observed);
  EXPECT_EQ(scorer.finish().rows, 3u);
  EXPECT_EQ(refusal([&] {
              scorer.add(Predictive(1, 6, {"a", "b"}), std::vector<double>(2));
            }),
            "this block has 6 samples per row, but earlier blocks had 5");
  EXPECT_EQ(refusal([] { Scorer({"a"}, {0.5, 90}); }), "interval level 90 is out of range: use 0 to 1");
  EXPECT_NE(refusal([] { Scorer({}); }), "");
}

}  // namespace
}  // namespace mirrorball
