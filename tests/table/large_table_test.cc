#include "mirrorball/large_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "base/random.h"

namespace mirrorball {
namespace {

/// Numbers with missing values, a category, and the number of the row.
Table table_of(std::size_t rows) {
  std::vector<double> number(rows), place(rows);
  std::vector<std::string> kind(rows);
  Stream random(1, Purpose::kTest);
  for (std::size_t i = 0; i < rows; ++i) {
    place[i] = static_cast<double>(i);
    number[i] = i % 10 == 3 ? NAN : std::round(1000 * random.normal()) / 1000;
    kind[i] = i % 7 == 5 ? "" : "kind" + std::to_string(random.below(40));
  }
  Table made;
  made.add_numbers("place", place);
  made.add_numbers("number", number);
  made.add_categories("kind", kind);
  return made;
}

std::string text_of(const Table& table, std::size_t row) {
  const double number = table.number(row, 1);
  const std::int32_t code = table.code(row, 2);
  return (std::isnan(number) ? "" : std::to_string(number)) + "/" +
         (code == Table::kMissing ? "" : table.categories(2)[static_cast<std::size_t>(code)]);
}

OpenTable opens(const Table& table) {
  return [&table] { return open_table(table); };
}

TEST(LargeTable, AsManyRowsAsTheSampleTakesAreTheSample) {
  const Table table = table_of(9000);
  const LargeTable large(opens(table), {.memory = 1});
  ASSERT_EQ(large.rows(), 9000u);
  ASSERT_EQ(large.sample().rows(), 9000u);
  EXPECT_EQ(large.sample().names(), table.names());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    ASSERT_EQ(large.sample().number(row, 0), table.number(row, 0));
    ASSERT_EQ(text_of(large.sample(), row), text_of(table, row));
    ASSERT_EQ(large.sample_rows()[row], row);
  }
  EXPECT_EQ(large.columns()[0].missing, 0u);
  EXPECT_EQ(large.columns()[1].missing, 900u);
  EXPECT_EQ(large.columns()[1].first_missing, 3u);
  EXPECT_EQ(large.columns()[2].first_missing, 5u);
}

TEST(LargeTable, TheSampleIsFairAndInOrder) {
  constexpr std::size_t kRows = 100000, kMost = LargeTable::kFewestSampleRows;
  const Table table = table_of(kRows);
  const LargeTable large(opens(table), {.memory = 1, .seed = 3});
  const Table& sample = large.sample();
  ASSERT_EQ(large.rows(), kRows);
  EXPECT_LE(sample.rows(), kMost);
  EXPECT_GT(sample.rows(), kMost / 2);
  double sum = 0;
  for (std::size_t row = 0; row < sample.rows(); ++row) {
    const std::size_t place = large.sample_rows()[row];
    ASSERT_TRUE(row == 0 || place > large.sample_rows()[row - 1]);
    ASSERT_EQ(sample.number(row, 0), static_cast<double>(place));
    ASSERT_EQ(text_of(sample, row), text_of(table, place));
    sum += static_cast<double>(place);
  }
  // The mean of n places has a standard deviation of rows / sqrt(12 n).
  const double n = static_cast<double>(sample.rows());
  EXPECT_NEAR(sum / n, kRows / 2.0, 4 * kRows / std::sqrt(12 * n));
  // Another seed has other rows; the same text in other blocks, on other threads, has the same.
  const LargeTable other(opens(table), {.memory = 1, .seed = 4});
  EXPECT_NE(other.sample_rows(), large.sample_rows());
  std::ostringstream csv;
  table.write_csv(csv);
  const std::string text = csv.str();
  const LargeTable from_text([&] { return open_table_bytes(text, "data.csv"); },
                             {.memory = 1, .seed = 3, .threads = 3});
  EXPECT_EQ(from_text.sample_rows(), large.sample_rows());
  for (std::size_t row = 0; row < sample.rows(); ++row)
    ASSERT_EQ(text_of(from_text.sample(), row), text_of(sample, row));
}

TEST(LargeTable, WhatIsLargeIsToldFromTheFirstBlock) {
  std::ostringstream csv;
  table_of(300000).write_csv(csv);
  const std::string text = csv.str();
  const OpenTable open = [&] { return open_table_bytes(text, "data.csv"); };
  EXPECT_TRUE(is_larger_than(15 << 20, open));  // 300,000 rows of 64 bytes are 18.3 MB
  EXPECT_FALSE(is_larger_than(22 << 20, open));
}

}  // namespace
}  // namespace mirrorball
