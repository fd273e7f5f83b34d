#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/random.h"
#include "encode/transform.h"
#include "mirrorball/score.h"
#include "report/chance.h"
#include "report/number_text.h"
#include "report/references.h"
#include "report/slices.h"

namespace mirrorball::report {
namespace {

/// A column that keeps quantiles of these values; sorts them.
ColumnSchema quantiles_of(std::vector<double>& values) {
  ColumnSchema column;
  column.transform = Transform::kQuantile;
  column.knots = encode::NumberTransform::fit(Transform::kQuantile, values, 1000).knots();
  return column;
}

TEST(Report, ChanceBandIsTheBinomialOne) {
  // Of ten rows with probability 1/2: P(K <= 1) = 0.011 and P(K <= 2) = 0.055.
  const Band half = chance_band(10, 0.5);
  EXPECT_DOUBLE_EQ(half.low, 0.2);
  EXPECT_DOUBLE_EQ(half.high, 0.8);
  const Band many = chance_band(10000, 0.9);
  EXPECT_NEAR(many.low, 0.9 - 1.96 * 0.003, 2e-4);
  EXPECT_NEAR(many.high, 0.9 + 1.96 * 0.003, 2e-4);
  EXPECT_DOUBLE_EQ(chance_band(3, 0.9).high, 1.0);
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
  EXPECT_EQ(found.back().kind, Slice::Kind::kGap);
  EXPECT_EQ(found.back().rows, (std::vector<std::uint32_t>{100}));
  std::size_t rows = 0;
  for (const Slice& slice : found) rows += slice.rows.size();
  EXPECT_EQ(rows, values.size());
}

TEST(Report, RareLevelsAreOneSlice) {
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
  EXPECT_EQ(found[0].level, "a");
  EXPECT_EQ(found[1].level, "b");
  EXPECT_EQ(found[2].kind, Slice::Kind::kOtherLevels);
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
  const std::vector<WeakSpot> found = weak_spots(all, 0, table, {other, one}, 8);
  ASSERT_EQ(found.size(), 3u) << "x twice, and noise for the coverage that is low everywhere";
  EXPECT_EQ(found[0].feature, "x");
  EXPECT_TRUE(found[0].uncovered);
  EXPECT_EQ(found[0].coverage, 0);
  EXPECT_FALSE(found.back().uncovered);
  EXPECT_EQ(found.back().feature, "x");
  EXPECT_GT(found.back().error_ratio, 1.6);
}

TEST(Report, NumbersInWords) {
  EXPECT_EQ(counted(1, "row", "rows"), "1 row");
  EXPECT_EQ(counted(2064, "row", "rows"), "2,064 rows");
  EXPECT_EQ(percent(0.891), "89.1%");
  EXPECT_EQ(percent(0.684), "68%");
  EXPECT_EQ(percent(0.0004), "less than 0.1%");
  EXPECT_EQ(percent(1), "100%");
  EXPECT_EQ(plain(0.25431), "0.254");
  EXPECT_EQ(plain(56640.2), "56,640");
  EXPECT_EQ(plain(-1234567), "-1,234,567");
  ColumnSchema feature;
  feature.transform = Transform::kQuantile;
  feature.knots = {1.6e9, 1.65e9, 1.7e9};
  EXPECT_EQ(value_of(feature, 1709164800), "1.709e+09");
  feature.dates = true;
  EXPECT_EQ(value_of(feature, 1709164800), "2024-02-29");
}

}  // namespace
}  // namespace mirrorball::report
