#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "table/column.h"
#include "table/read_helpers.h"

namespace mirrorball::table_test {
namespace {

table::NumberColumn column_of(const std::vector<double>& values) {
  table::NumberColumn column;
  column.append(values);
  column.trim();
  return column;
}

/// What the column holds, with its origin, to the bit.
std::vector<double> bits_of(const table::NumberColumn& column) {
  std::vector<double> bits = {column.origin()};
  for (std::size_t row = 0; row < column.size(); ++row)
    bits.push_back(std::isnan(column.offset(row)) ? -12345 : column.offset(row));
  return bits;
}

TEST(NumberColumnOrigin, IsZeroForAWideColumn) {
  EXPECT_EQ(column_of({1, 2, 3}).origin(), 0);
  EXPECT_EQ(column_of({-1000, 1000}).origin(), 0);
  EXPECT_EQ(column_of({0, 0}).origin(), 0);
  EXPECT_EQ(column_of({kNaN, kNaN}).origin(), 0);
  EXPECT_EQ(column_of({1700, 2000}).origin(), 0);
}

TEST(NumberColumnOrigin, KeepsUnixTimesToTheSecond) {
  std::vector<double> times;
  for (int i = 0; i < 1000; ++i) times.push_back(1700000000.0 + 3600.0 * i + i % 60);
  times.push_back(kNaN);
  const table::NumberColumn column = column_of(times);
  EXPECT_NE(column.origin(), 0);
  for (std::size_t i = 0; i < 1000; ++i) ASSERT_EQ(column[i], times[i]);
  EXPECT_TRUE(std::isnan(column[1000]));
}

TEST(NumberColumnOrigin, KeepsTwentyFourBitsOfTheSpread) {
  std::mt19937_64 bits(3);
  for (const double middle : {1e6, -4321.0, 1e12, 101325.0}) {
    for (const double spread : {std::abs(middle) / 100, std::abs(middle) / 1e4}) {
      std::uniform_real_distribution<double> draw(middle - spread / 2, middle + spread / 2);
      std::vector<double> values(500);
      for (double& value : values) value = draw(bits);
      const table::NumberColumn column = column_of(values);
      EXPECT_NE(column.origin(), 0);
      for (std::size_t i = 0; i < values.size(); ++i)
        ASSERT_LE(std::abs(column[i] - values[i]), spread * 0x1p-24);
    }
  }
}

TEST(NumberColumnOrigin, OfAConstantIsTheConstant) {
  const table::NumberColumn column = column_of({0.1, 0.1, kNaN});
  EXPECT_EQ(column[0], 0.1);
  EXPECT_EQ(column.offset(0), 0);
}

TEST(NumberColumnOrigin, WaitsForTheFirstValue) {
  const std::size_t gaps = 2 * table::NumberColumn::kJudged + 5;
  table::NumberColumn column;
  column.append_gaps(gaps);
  column.append(std::vector<double>{1700000001, 1700000002});
  column.trim();
  EXPECT_TRUE(std::isnan(column[gaps - 1]));
  EXPECT_EQ(column[gaps], 1700000001);
  EXPECT_EQ(column[gaps + 1], 1700000002);
}

TEST(NumberColumnOrigin, IsGivenUpForValuesNearZero) {
  constexpr std::size_t kFirst = table::NumberColumn::kJudged;
  table::NumberColumn column;
  for (std::size_t i = 0; i < kFirst; ++i)
    column.append(std::vector<double>{1e6 + 0.25 + 0.25 * static_cast<double>(i % 2)});
  EXPECT_NE(column.origin(), 0);
  column.append(std::vector<double>{2e6, 6e5});
  EXPECT_NE(column.origin(), 0);
  column.append(std::vector<double>{3e6, 0.01});
  EXPECT_EQ(column.origin(), 0);
  column.trim();
  EXPECT_EQ(column[0], 1e6 + 0.25);
  EXPECT_EQ(column[kFirst], 2e6);
  EXPECT_EQ(column[kFirst + 2], 3e6);
  EXPECT_EQ(column[kFirst + 3], static_cast<double>(0.01f));
}

TEST(NumberColumnOrigin, IsTheSameInWhateverPiecesTheValuesCome) {
  std::mt19937_64 bits(5);
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<std::size_t> length(1, 700);
  for (const bool near_zero_later : {false, true}) {
    std::vector<double> values(3000);
    for (double& value : values) value = 1e5 + 10 * normal(bits);
    values[3] = values[2000] = kNaN;
    if (near_zero_later) values[2500] = 0.1;
    const std::vector<double> expected = bits_of(column_of(values));
    for (int trial = 0; trial < 20; ++trial) {
      table::NumberColumn column;
      for (std::span<const double> left = values; !left.empty();) {
        const std::size_t n = std::min(left.size(), length(bits));
        column.append(left.first(n));
        left = left.subspan(n);
      }
      column.trim();
      ASSERT_EQ(bits_of(column), expected);
    }
  }
}

TEST(NumberColumnOrigin, NeverCostsPrecision) {
  std::mt19937_64 bits(11);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 200; ++trial) {
    table::NumberColumn column;
    std::vector<double> all;
    for (int part = 0; part < 3; ++part) {
      const double middle = normal(bits) * std::exp(5 * normal(bits)), spread = std::exp(5 * normal(bits));
      std::vector<double> values(table::NumberColumn::kJudged - 100);
      for (double& value : values) value = middle + spread * normal(bits);
      column.append(values);
      all.insert(all.end(), values.begin(), values.end());
    }
    column.trim();
    for (std::size_t i = 0; i < all.size(); ++i)
      ASSERT_LE(std::abs(column[i] - all[i]), 2.001 * std::abs(all[i]) * 0x1p-24) << trial;
  }
}

TEST(NumberColumnOrigin, IsJudgedOnTheFilesFirstRows) {
  std::string text = "t\n";
  for (int i = 0; i < 100; ++i) text += fmt::format("{}\n", 1600000000 + 777 * i);
  const table::Content content = read_text(text, {}, 40);
  const auto& column = std::get<table::NumberColumn>(content.columns[0].values);
  for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(column[i], 1600000000.0 + 777.0 * static_cast<double>(i));
}

}  // namespace
}  // namespace mirrorball::table_test
