#include "report/drift.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "encode/transform.h"

namespace mirrorball::report {
namespace {

using Verdict = FeatureDrift::Verdict;

/// A number that was 0, 0.001, …, 1 in training.
ColumnSchema even(bool gaps = false, Transform kind = Transform::kQuantile) {
  ColumnSchema feature;
  feature.name = "x";
  std::vector<double> values(1001);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i) / 1000;
  feature.transform = kind;
  feature.knots = encode::NumberTransform::fit(kind, values, 1001).knots();
  feature.median = 0.5;
  feature.missing = gaps;
  return feature;
}

FeatureDrift drift_of(const ColumnSchema& feature, const Table& table, std::size_t training_rows) {
  DriftCounter counter(feature, training_rows, 10000);
  std::vector<std::uint64_t> keys(table.rows());
  std::vector<std::uint8_t> outside(table.rows());
  counter.add(table, keys, outside);
  return counter.finish();
}

FeatureDrift drift(const ColumnSchema& feature, const std::vector<double>& values) {
  Table table;
  table.add_numbers("x", values);
  return drift_of(feature, table, 1001);
}

std::vector<double> spread_over(double low, double high, std::size_t count) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = low + (high - low) * (static_cast<double>(i) + 0.5) / static_cast<double>(count);
  return values;
}

class DriftOfTransform : public testing::TestWithParam<Transform> {};
INSTANTIATE_TEST_SUITE_P(Quantiles, DriftOfTransform,
                         testing::Values(Transform::kQuantile, Transform::kRankit));

TEST_P(DriftOfTransform, NothingWhereTheDataIsAsInTraining) {
  const FeatureDrift found = drift(even(false, GetParam()), spread_over(0, 1, 2000));
  EXPECT_TRUE(found.has_quantiles);
  EXPECT_EQ(found.verdict, Verdict::kSame);
  EXPECT_LT(found.psi, 1e-3);
  EXPECT_LT(found.ks, 2e-3);
  EXPECT_EQ(found.outside(), 0u);
  EXPECT_EQ(found.words, "");
  ASSERT_EQ(found.expected.size(), 10u);
  for (std::size_t k = 0; k < 10; ++k) {
    EXPECT_NEAR(found.expected[k], 0.1, 1e-4);
    EXPECT_NEAR(found.actual[k], 0.1, 1e-3);
  }
}

TEST(Drift, StabilityAndLargestGapOfAHalfThatIsGone) {
  const std::size_t n = 4000;
  const FeatureDrift found = drift(even(), spread_over(0, 0.5, n));
  // Five bins hold a fifth each, five hold nothing but the half row that keeps the logarithm finite.
  const double rows = static_cast<double>(n), full = (0.2 * rows + 0.5) / (rows + 5),
               empty = 0.5 / (rows + 5);
  const double psi = 5 * (full - 0.1) * std::log(full / 0.1) + 5 * (empty - 0.1) * std::log(empty / 0.1);
  EXPECT_NEAR(found.psi, psi, 0.01 * psi);
  EXPECT_NEAR(found.ks, 0.5, 2e-3);
  EXPECT_EQ(found.verdict, Verdict::kLarge);
  EXPECT_NE(found.words.find("median 0.25, in training 0.5"), std::string::npos) << found.words;
}

TEST(Drift, ChanceAloneIsNotDrift) {
  // Thirty rows of the training law: the index is far above 0.1 by chance.
  std::size_t alarms = 0, above = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Stream random(seed, Purpose::kTest);
    std::vector<double> values(30);
    for (double& value : values) value = random.uniform_double();
    const FeatureDrift found = drift(even(), values);
    alarms += found.verdict != Verdict::kSame;
    above += found.psi > 0.1;
  }
  EXPECT_GT(above, 100u);
  EXPECT_LE(alarms, 4u);
}

TEST(Drift, ValuesOutsideTheTrainingRangeAreCounted) {
  std::vector<double> values = spread_over(0, 1, 1000);
  values.insert(values.end(), {-0.2, 1.5, 1.0000001, 1});
  const FeatureDrift found = drift(even(), values);
  EXPECT_EQ(found.below, 1u);
  EXPECT_EQ(found.above, 1u) << "a reading may differ in the last bits";
  EXPECT_NE(found.words.find("2 rows outside the training range"), std::string::npos) << found.words;
}

TEST(Drift, ManyEqualValuesAreOneBin) {
  // Half of the training values are 7, as in counts.
  ColumnSchema feature = even();
  std::vector<double> training(500, 7.0);
  for (int i = 0; i < 500; ++i) training.push_back(8 + i * 0.01);
  feature.knots = encode::NumberTransform::fit(Transform::kQuantile, training, 1000).knots();
  std::vector<double> values(1000, 7.0);
  for (int i = 0; i < 1000; ++i) values.push_back(8 + i * 0.005);
  const FeatureDrift same = drift(feature, values);
  EXPECT_EQ(same.verdict, Verdict::kSame);
  EXPECT_LT(same.psi, 0.01);
  EXPECT_LT(same.ks, 0.01);
  EXPECT_NEAR(same.expected[0], 0.5, 0.01);
  EXPECT_EQ(drift(feature, std::vector<double>(500, 7.0)).verdict, Verdict::kLarge);
}

TEST(Drift, GapsThatTrainingDidNotHave) {
  std::vector<double> values = spread_over(0, 1, 990);
  values.insert(values.end(), 10, NAN);
  const FeatureDrift known = drift(even(true), values), fresh = drift(even(), values);
  EXPECT_EQ(known.missing, 10u);
  EXPECT_EQ(known.verdict, Verdict::kSame);
  EXPECT_EQ(fresh.verdict, Verdict::kSome);
  EXPECT_NE(fresh.words.find("10 rows with a missing value"), std::string::npos) << fresh.words;
}

TEST(Drift, MeanAndDeviationStandInForQuantiles) {
  ColumnSchema feature = even();
  feature.transform = Transform::kStandard;
  feature.knots = {10, 2};
  const FeatureDrift found = drift(feature, spread_over(11, 15, 800));
  EXPECT_FALSE(found.has_quantiles);
  EXPECT_NEAR(found.shift, 1.5, 1e-6);
  EXPECT_NEAR(found.spread_ratio, 4 / std::sqrt(12.0) / 2, 1e-2);
  EXPECT_EQ(found.verdict, Verdict::kLarge);
  EXPECT_EQ(drift(feature, {9, 11, 10}).verdict, Verdict::kSame) << "three rows say nothing";
}

TEST(Drift, LevelsNeverSeen) {
  ColumnSchema feature;
  feature.name = "kind";
  feature.type = ColumnType::kCategory;
  feature.categories = {"flat", "house", "loft"};
  feature.missing = true;
  std::vector<std::string> cells(95, "flat");
  cells.insert(cells.end(), {"boat", "tent", "boat", "", "house"});
  Table table;
  table.add_categories("kind", cells);
  const FeatureDrift found = drift_of(feature, table, 500);
  EXPECT_EQ(found.unseen_rows, 3u);
  EXPECT_EQ(found.unseen_categories, (std::vector<std::string>{"boat", "tent"}));
  EXPECT_EQ(found.categories_met, 2u);
  EXPECT_EQ(found.missing, 1u);
  EXPECT_EQ(found.verdict, Verdict::kSome);
  EXPECT_EQ(found.words, "3 rows with 2 categories new or rare in training");
}

TEST(Drift, ARowHereAndThereIsNoDrift) {
  ColumnSchema feature;
  feature.name = "kind";
  feature.type = ColumnType::kCategory;
  feature.categories = {"flat", "house"};
  std::vector<std::string> cells(499, "flat");
  cells.push_back("boat");
  Table table;
  table.add_categories("kind", cells);
  const FeatureDrift found = drift_of(feature, table, 500);
  EXPECT_EQ(found.verdict, Verdict::kSame);
  EXPECT_EQ(found.words, "1 row with 1 category new or rare in training");
}

/// Counts are of all rows; the median and the largest gap are of those that fit.
TEST(Drift, BlocksAndABoundOnTheNumbersKept) {
  const ColumnSchema feature = even();
  Stream random(8, Purpose::kTest);
  std::vector<double> values(20000);
  for (double& value : values) value = 0.3 + random.uniform_double();
  const FeatureDrift all = drift(feature, values);
  DriftCounter counter(feature, 1001, 2000);
  std::vector<std::uint8_t> outside(4000);
  std::size_t rows_outside = 0;
  for (std::size_t begin = 0; begin < values.size(); begin += 4000) {
    Table block;
    block.add_numbers("x", std::span(values).subspan(begin, 4000));
    std::vector<std::uint64_t> keys(4000);
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = row_key(0, Purpose::kTest, 0, begin + i);
    std::fill(outside.begin(), outside.end(), 0);
    counter.add(block, keys, outside);
    rows_outside += static_cast<std::size_t>(std::count(outside.begin(), outside.end(), 1));
  }
  const FeatureDrift some = counter.finish();
  EXPECT_EQ(some.rows, 20000u);
  EXPECT_EQ(some.above, all.above);
  EXPECT_EQ(rows_outside, all.outside());
  EXPECT_EQ(some.actual, all.actual);
  EXPECT_EQ(some.psi, all.psi);
  EXPECT_NEAR(some.ks, all.ks, 0.05);
  EXPECT_NE(some.ks, all.ks) << "of fewer values";
  EXPECT_NEAR(some.median, 0.8, 0.05);
}

}  // namespace
}  // namespace mirrorball::report
