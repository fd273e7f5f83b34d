#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/random.h"
#include "encode/transform.h"
#include "mirrorball/score.h"
#include "report/bootstrap.h"
#include "report/crps_split.h"
#include "report/joint_scores.h"
#include "report/number_text.h"
#include "report/references.h"
#include "report/round_thresholds.h"
#include "report/row_space.h"
#include "report/shown_rows.h"
#include "report/warnings.h"
#include "report/weak_spots.h"

namespace mirrorball::report {
namespace {

/// A column that keeps quantiles of these values; sorts them.
ColumnSchema quantiles_of(std::vector<double>& values) {
  ColumnSchema column;
  column.transform = Transform::kQuantile;
  column.knots = encode::NumberTransform::fit(Transform::kQuantile, values, 1000).knots();
  return column;
}

TEST(Report, TrainingColumnKeepsTheTrainingValues) {
  std::vector<double> values;
  Stream random(3, Purpose::kTest);
  for (int i = 0; i < 5000; ++i) values.push_back(std::exp(random.normal() / 2));
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / 5000;
  double square = 0;
  for (double value : values) square += (value - mean) * (value - mean) / 5000;
  const ColumnSchema column = quantiles_of(values);
  const TrainingColumn training(column);
  EXPECT_NEAR(training.mean(), mean, 0.01 * mean);
  EXPECT_NEAR(training.sd(), std::sqrt(square), 0.02 * std::sqrt(square));
  for (double level : {0.01, 0.3, 0.5, 0.77, 0.99}) {
    EXPECT_NEAR(training.quantile(level), values[static_cast<std::size_t>(level * 4999)],
                0.02 * training.quantile(level));
    EXPECT_NEAR(training.below(training.quantile(level)), level, 1e-3);
  }
}

TEST(Report, ReferencesAreScoresOfConstantForecasts) {
  std::vector<double> values, observed;
  Stream random(4, Purpose::kTest);
  for (int i = 0; i < 999; ++i) values.push_back(random.normal());
  for (int i = 0; i < 50; ++i) observed.push_back(random.normal() + 0.3);
  const ColumnSchema column = quantiles_of(values);
  const TrainingColumn training(column);
  const std::vector<double> coverages = {0.5, 0.9};
  const Reference blind = training_quantiles(training, observed, coverages),
                  point = training_mean(training, observed);
  double slow_crps = 0, slow_mae = 0, slow_square = 0, inside = 0;
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / 999;
  for (double y : observed) {
    slow_crps += crps(values, y) / 50;
    slow_mae += std::fabs(y - mean) / 50;
    slow_square += (y - mean) * (y - mean) / 50;
    inside += (values[50] <= y && y <= values[949]) / 50.0;
  }
  EXPECT_NEAR(blind.crps, slow_crps, 2e-3);
  EXPECT_NEAR(point.mae, slow_mae, 2e-3);
  EXPECT_NEAR(point.crps, point.mae, 1e-12);
  EXPECT_NEAR(point.rmse, std::sqrt(slow_square), 2e-3);
  EXPECT_NEAR(blind.widths[1], values[949] - values[50], 0.02);
  EXPECT_NEAR(blind.coverages[1], inside, 0.021);
  EXPECT_DOUBLE_EQ(skill(0.25, 1), 0.75);
  EXPECT_DOUBLE_EQ(skill(2, 1), -1);
}

TEST(Report, SlicesKeepEqualValuesTogether) {
  std::vector<double> values;
  for (int i = 0; i < 100; ++i) values.push_back(i < 60 ? 5.0 : i);
  values.push_back(NAN);
  Table table;
  table.add_numbers("x", values);
  ColumnSchema feature;
  feature.name = "x";
  const std::vector<Slice> found = slices(table, feature, 4);
  ASSERT_GE(found.size(), 3u);
  EXPECT_LE(found.size(), 5u);
  EXPECT_EQ(found[0].rows.size(), 60u);
  EXPECT_EQ(found[0].words(feature), "x = 5");
  EXPECT_EQ(found.back().kind, Slice::Kind::kMissing);
  EXPECT_EQ(found.back().rows, (std::vector<std::uint32_t>{100}));
  std::size_t rows = 0;
  for (const Slice& slice : found) rows += slice.rows.size();
  EXPECT_EQ(rows, values.size());
}

TEST(Report, RareCategoriesAreOneSlice) {
  std::vector<std::string> cells;
  for (int i = 0; i < 40; ++i)
    cells.push_back(i < 20 ? "a" : i < 30 ? "b" : std::string(1, static_cast<char>('c' + i % 5)));
  Table table;
  table.add_categories("kind", cells);
  ColumnSchema feature;
  feature.name = "kind";
  feature.type = ColumnType::kCategory;
  const std::vector<Slice> found = slices(table, feature, 3);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].category, "a");
  EXPECT_EQ(found[1].category, "b");
  EXPECT_EQ(found[2].kind, Slice::Kind::kOtherCategories);
  EXPECT_EQ(found[2].rows.size(), 10u);
}

/// Forecasts that are right but for rows with x above 0.75: there the interval covers nothing.
TEST(Report, WeakSpotsAreFound) {
  Forecasts all;
  all.rows = 1000;
  all.targets = 1;
  std::vector<double> x(all.rows), noise(all.rows);
  Stream random(5, Purpose::kTest);
  for (std::size_t row = 0; row < all.rows; ++row) {
    x[row] = static_cast<double>(row) / 1000;
    noise[row] = random.uniform_double();
    const bool bad = x[row] >= 0.75;
    RowForecast one;
    one.low = -1;
    one.high = 1;
    one.mass = 0.9;
    one.rank = bad ? 0.999 : random.uniform_double();
    one.sd = 1;
    one.crps = (bad ? 2 : 1) * (0.5 + random.uniform_double());
    all.cell.push_back(one);
    all.observed.push_back(bad ? 5 : row % 10 == 0 ? 2 : 0);
  }
  Table table;
  table.add_numbers("x", x);
  table.add_numbers("noise", noise);
  ColumnSchema one, other;
  one.name = "x";
  other.name = "noise";
  const std::vector<ColumnSchema> features = {other, one};
  const std::vector<FeatureSlices> slices = slice_rows(table, features);
  const std::vector<std::vector<SliceScores>> scores = score_slices(all, 0, slices);
  const std::vector<WeakSpot> found = weak_spots(scores, 8);
  ASSERT_EQ(found.size(), 2u) << "each feature once: x, and noise for the coverage that is low everywhere";
  const SliceScores& worst = scores[found[0].feature][found[0].slice];
  EXPECT_EQ(found[0].feature, 1u);
  EXPECT_TRUE(worst.uncovered);
  EXPECT_TRUE(worst.large_errors) << "both weaknesses in one place";
  EXPECT_EQ(worst.coverage, 0);
  EXPECT_GT(worst.error_ratio, 1.6);
  const SliceDetails closer = look_closer(all, 0, slices[1].slices[found[0].slice]);
  EXPECT_EQ(closer.worst.size(), 5u);
  EXPECT_NE(closer.check.verdict, CalibrationCheck::Verdict::kCalibrated);
}

/// The two parts of the CRPS add up to it; forecasts that are too narrow lose by calibration.
TEST(Report, TheCrpsIsSplitIntoCalibrationAndSharpness) {
  Stream random(8, Purpose::kTest);
  for (const double spread : {1.0, 0.3}) {
    CrpsSplit split, halves[2];
    double sum = 0;
    std::vector<double> draws(101);
    for (int row = 0; row < 400; ++row) {
      for (double& draw : draws) draw = spread * random.normal();
      std::sort(draws.begin(), draws.end());
      const double y = random.normal();
      split.add(draws, y);
      halves[row % 2].add(draws, y);
      sum += crps(draws, y) / 400;
    }
    halves[0].add(halves[1]);
    const CrpsSplit::Parts parts = split.parts();
    EXPECT_NEAR(parts.calibration + parts.sharpness, sum, 1e-12);
    EXPECT_NEAR(halves[0].parts().calibration, parts.calibration, 1e-12);
    if (spread == 1) {
      EXPECT_LT(parts.calibration, 0.02 * sum);
    } else {
      EXPECT_GT(parts.calibration, 0.1 * sum);
    }
  }
}

/// Of few values, each row's probabilities step elsewhere: chance in the frequencies is not called wrong
/// probabilities.
TEST(Report, ACalibratedForecastOfFewValuesLosesLittleByCalibration) {
  Stream random(5, Purpose::kTest);
  CrpsSplit split;
  std::vector<double> draws(1000);
  double sum = 0;
  for (int row = 0; row < 214; ++row) {
    const double none = 0.6 + 0.35 * random.uniform();
    for (std::size_t i = 0; i < draws.size(); ++i) {
      const double p = (static_cast<double>(i) + 0.5) / 1000;
      draws[i] = p < none ? 0 : p < none + 0.7 * (1 - none) ? 1 : 3;
    }
    const double y = draws[static_cast<std::size_t>(1000 * random.uniform())];
    split.add(draws, y);
    sum += crps(draws, y) / 214;
  }
  const CrpsSplit::Parts parts = split.parts();
  EXPECT_LT(parts.calibration, 0.06 * sum);
  EXPECT_NEAR(parts.calibration + parts.sharpness, sum, 1e-12);
}

TEST(Report, BootstrapIntervalsAreThoseOfTheMean) {
  Stream random(2, Purpose::kTest);
  std::vector<double> values(900), twice(900);
  for (std::size_t i = 0; i < 900; ++i) twice[i] = 2 * (values[i] = 5 + 3 * random.normal());
  const Bootstrap again({values, twice}, 1, 2);
  const Interval found = again.interval([](std::span<const double> means) { return means[0]; });
  EXPECT_NEAR(found.high - found.low, 2 * 1.96 * 3 / 30, 0.06);
  EXPECT_LT(found.low, 5);
  EXPECT_GT(found.high, 5);
  const Interval paired =
      again.interval([](std::span<const double> means) { return means[1] - 2 * means[0]; });
  EXPECT_NEAR(paired.high - paired.low, 0, 1e-9) << "the same rows each time";
  const Interval other = Bootstrap({values, twice}, 1, 1).interval([](auto means) { return means[0]; });
  EXPECT_EQ(other.low, found.low);
}

TEST(Report, FittedReferencesPredictRowsThatTheyHaveNotSeen) {
  Stream random(6, Purpose::kTest);
  rows::EncodedRows rows(600, 2, 1);
  std::vector<double> line(600), noise(600);
  for (std::size_t row = 0; row < 600; ++row) {
    for (std::size_t k = 0; k < 2; ++k)
      rows.numbers.data()[2 * row + k] = static_cast<float>(random.normal());
    rows.codes.data()[row] = static_cast<std::int32_t>(random.below(3)) - 1;
    line[row] = 10 + 3 * rows.numbers.data()[2 * row] + 5 * (rows.codes.data()[row] == 1) + random.normal();
    noise[row] = random.normal();
  }
  ThreadPool pool(2);
  const std::vector<double> coverages = {0.5, 0.9};
  const Reference linear = linear_reference(rows, line, coverages, pool),
                  trees = tree_reference(rows, line, coverages, 1, pool);
  EXPECT_NEAR(linear.rmse, 1, 0.1);
  EXPECT_NEAR(linear.crps, 1 / std::sqrt(std::numbers::pi), 0.06);
  EXPECT_NEAR(linear.coverages[1], 0.9, 0.04);
  EXPECT_NEAR(linear.widths[1], 2 * 1.645, 0.3);
  EXPECT_LT(trees.crps, 1.2);
  EXPECT_GT(trees.crps, linear.crps) << "the line is right";
  // Nothing can be learnt from noise: who has seen a row would seem to.
  EXPECT_GT(linear_reference(rows, noise, coverages, pool).rmse, 0.93);
  EXPECT_GT(tree_reference(rows, noise, coverages, 1, pool).rmse, 0.93);
}

/// Rows on a diagonal: a point on it has neighbours, one beside it has none.
TEST(Report, RowsBesideAllOthersHaveNoNeighbours) {
  std::vector<double> a, b;
  Stream random(4, Purpose::kTest);
  for (int i = 0; i < 500; ++i) {
    a.push_back(random.uniform_double());
    b.push_back(a.back() + 0.02 * random.normal());
  }
  Table table;
  table.add_numbers("a", a);
  table.add_numbers("b", b);
  std::vector<ColumnSchema> features = {quantiles_of(a), quantiles_of(b)};
  features[0].name = "a";
  features[1].name = "b";
  features[0].median = features[1].median = 0.5;
  const RowSpace space(table, features, {1, 1});
  const auto point = [&](double x, double y) {
    return std::vector<float>{space.coordinate(0, x), space.coordinate(1, y)};
  };
  EXPECT_TRUE(space.has_neighbours(point(0.3, 0.3)));
  EXPECT_FALSE(space.has_neighbours(point(0.1, 0.9)));
  const std::span<const float> typical = space.row(space.most_typical());
  EXPECT_NEAR(typical[0], 0.5, 0.1);
  EXPECT_NEAR(typical[1], 0.5, 0.1);
}

TEST(Report, JointRanksSeeWhatSingleTargetsDoNot) {
  // Draws with the correlation 1, outcomes with -1: each target by itself is right.
  constexpr std::size_t kRows = 300, kSamples = 60;
  Predictive draws(kRows, kSamples, {"a", "b"});
  Stream random(9, Purpose::kTest);
  const std::vector<double> scales = {1, 1};
  double right = 0, wrong = 0;
  int middle = 0;
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::size_t i = 0; i < kSamples; ++i)
      draws.row_samples(row, 0)[i] = draws.row_samples(row, 1)[i] = random.normal();
    const double y = random.normal();
    right += variogram_score(draws, row, std::vector{y, y}, scales) / kRows;
    wrong += variogram_score(draws, row, std::vector{y, -y}, scales) / kRows;
    const double rank = average_rank(draws, row, std::vector{y, -y}, random.uniform_double());
    middle += rank > 0.25 && rank < 0.75;
  }
  EXPECT_LT(right, 0.1 * wrong);
  EXPECT_GT(middle, 290) << "uniform ranks would be there half of the time";
}

TEST(Report, NumbersInWords) {
  EXPECT_EQ(counted(1, "row", "rows"), "1 row");
  EXPECT_EQ(counted(2064, "row", "rows"), "2,064 rows");
  EXPECT_EQ(percent(0.891), "89.1%");
  EXPECT_EQ(percent(0.684), "68%");
  EXPECT_EQ(percent(0.0004), "less than 0.1%");
  EXPECT_EQ(percent(1), "100%");
  EXPECT_EQ(percent(1.04), "104%");
  EXPECT_EQ(percent(-1.04), "\u2212104%");
  EXPECT_EQ(percent_with_decimal(0.9), "90.0%");
  EXPECT_EQ(plain(0.25431), "0.254");
  EXPECT_EQ(plain(56640.2), "56,640");
  EXPECT_EQ(plain(-1234567), "\u22121,234,567");
  EXPECT_EQ(on_range(0.28, 0.4), "0.280") << "as many decimals as its neighbours";
  EXPECT_EQ(on_range(-12.34, 300), "\u221212");
  EXPECT_EQ(on_range(56640.2, 300), "56,640");
  EXPECT_EQ(estimate(96353, 80000), "96,400") << "no digit that nobody knows";
  EXPECT_EQ(estimate(0.28, 0.4), "0.280");
  EXPECT_EQ(percent_change(0.8134), "81%");
  EXPECT_EQ(percent_change(-0.042), "\u22124.2%");
  EXPECT_EQ(percent_change(0.998), "99.8%");
  ColumnSchema feature;
  feature.transform = Transform::kQuantile;
  feature.knots = {1.6e9, 1.65e9, 1.7e9};
  EXPECT_EQ(value_of(feature, 1709164800), "1.709e+09");
  feature.dates = true;
  EXPECT_EQ(value_of(feature, 1709164800), "2024-02-29");
  feature.knots = {1709164800, 1709164800 + 31 * 86400.0};
  EXPECT_EQ(value_of(feature, 1709164800 + 3661.0), "2024-02-29 01:01") << "within a month, to the minute";
  feature.dates = false;
  feature.knots = {98001, 98102, 98199};
  EXPECT_EQ(range_of(feature, 98001, 98059), "98001 to 98059") << "postcodes are no amounts";
  feature.knots = {600, 8000, 900000};
  EXPECT_EQ(value_of(feature, 98001), "98,001");
}

/// Four in five values are 0: these are low ones, however many they are.
TEST(Report, EqualValuesStandWhereTheOthersLeaveThem) {
  ColumnSchema column;
  column.transform = Transform::kQuantile;
  column.knots.assign(81, 0.0);
  column.knots.insert(column.knots.end(), 20, 1.0);
  const TrainingColumn training(column);
  EXPECT_EQ(training.rank(0), 0);
  EXPECT_EQ(training.rank(1), 1);
  column.knots.assign(5, 3.0);
  EXPECT_EQ(TrainingColumn(column).rank(3), 0.5);
}

TEST(Report, EndsOfARangeHaveEqualDecimals) {
  ColumnSchema feature;
  EXPECT_EQ(range_of(feature, -13.14, -7.1451), "\u221213.14 to \u22127.15");
  EXPECT_EQ(range_of(feature, 38.3, 41.95), "38.30 to 41.95");
  EXPECT_EQ(range_of(feature, 17, 557), "17 to 557");
  EXPECT_EQ(range_of(feature, 1.2856, 2.1522), "1.286 to 2.152");
  EXPECT_EQ(range_of(feature, 1502, 20300), "1,502 to 20,300");
  EXPECT_EQ(range_of(feature, -122.21, -121.68), "\u2212122.21 to \u2212121.68")
      << "no zero that both end with";
  EXPECT_EQ(range_of(feature, 1950, 2004), "1950 to 2004") << "years have no comma";
}

TEST(Report, ThresholdsAreRoundUnlessManyRowsHaveThem) {
  std::vector<double> prices, caps(1000, 5.00001);
  for (int i = 0; i < 1000; ++i) prices.push_back(61234 + 317.7 * i);
  for (int i = 0; i < 400; ++i) caps[static_cast<std::size_t>(i)] = 0.15 + 0.0121 * i;
  for (const double at : round_thresholds(quantiles_of(prices)))
    EXPECT_EQ(std::fmod(at, 10000), 0) << at << " of a spread of 286,000";
  const std::vector<double> capped = round_thresholds(quantiles_of(caps));
  EXPECT_FLOAT_EQ(capped.back(), 5.00001) << "above 5 would be most rows, above the cap none";
  EXPECT_TRUE(std::is_sorted(capped.begin(), capped.end()));
  for (std::size_t k = 0; k + 1 < capped.size(); ++k)
    EXPECT_NEAR(std::remainder(capped[k], 0.2), 0, 1e-6) << capped[k];
}

TEST(Report, AFewRowsMayLieOutsideByChance) {
  EXPECT_FALSE(covers_too_few(5, 0.8));
  EXPECT_TRUE(covers_too_few(5, 0.2));
  EXPECT_TRUE(covers_too_few(500, 0.8));
  EXPECT_FALSE(covers_too_few(5000, 0.88)) << "no error that matters";
}

TEST(Report, ShownRowsDifferEvenWhereAllOutcomesAreEqual) {
  std::vector<double> a;
  for (int i = 0; i < 200; ++i) a.push_back(i < 120 ? 0.5 : i / 200.0);
  Table table;
  table.add_numbers("a", a);
  std::vector<ColumnSchema> features = {quantiles_of(a)};
  features[0].name = "a";
  features[0].median = 0.5;
  const RowSpace space(table, features, {1});
  Forecasts all;
  all.rows = a.size();
  all.targets = 1;
  all.observed.assign(all.rows, 0.0);
  EXPECT_EQ(different_rows({0, 1, 2, 3, 4, 5, 6}, 4, space, all, 0, 1.0), std::vector<std::size_t>{0})
      << "the same row again is no other one";
  const std::vector<std::size_t> mixed = {0, 1, 2, 3, 199, 198, 140, 141};
  EXPECT_EQ(different_rows(mixed, 3, space, all, 0, 1.0), (std::vector<std::size_t>{0, 199, 140}));
}

}  // namespace
}  // namespace mirrorball::report
