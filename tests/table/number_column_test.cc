#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
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

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(std::isnan(value) ? kNaN : value); }

/// That a column of the values holds them to the bit, one by one and in stretches, in so many bytes each.
void expect_kept(const std::vector<double>& values, std::size_t bytes) {
  const table::NumberColumn column = column_of(values);
  ASSERT_EQ(column.size(), values.size());
  std::vector<double> all(values.size());
  column.copy(0, all.size(), all.data());
  for (std::size_t row = 0; row < values.size(); ++row) {
    ASSERT_EQ(bits(column[row]), bits(values[row])) << row << ": " << values[row];
    ASSERT_EQ(bits(all[row]), bits(values[row])) << row << ": " << values[row];
  }
  EXPECT_EQ(column.bytes(), bytes * values.size());
}

/// 3,000 values of a function of a random number in [0, 1), with a missing one among them.
template <class Make>
std::vector<double> made(Make make) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> draw;
  std::vector<double> values(3000);
  for (double& value : values) value = make(draw(random));
  values[1500] = kNaN;
  return values;
}

double decimals(double value, int count) {
  return std::nearbyint(value * std::pow(10.0, count)) / std::pow(10.0, count);
}

TEST(NumberColumn, KeepsEveryBitAndPacksWhatPeopleWrite) {
  expect_kept(made([](double u) { return static_cast<double>(static_cast<float>(std::log(u))); }), 4);
  expect_kept(made([](double u) { return std::floor(1000 * u); }), 4);
  expect_kept(made([](double u) { return decimals(100 * u - 50, 2); }), 4);
  expect_kept(made([](double u) { return decimals(u, 9); }), 4);
  expect_kept(made([](double u) { return 1700000000 + std::floor(1e8 * u); }), 4);  // seconds
  expect_kept(made([](double u) { return decimals(1700000000 + 1e6 * u, 3); }), 4);
  expect_kept(made([](double u) { return 1234567890123 + std::floor(1e9 * u); }), 4);
  expect_kept(made([](double u) { return decimals(1e-5 * u, 12); }), 4);
  expect_kept(made([](double u) { return std::log(u); }), 8);
  expect_kept(made([](double u) { return std::ldexp(u, -900); }), 8);
  expect_kept(made([](double u) { return decimals(1e6 * u, 8); }), 8);  // 14 digits
  expect_kept(std::vector<double>(3000, kNaN), 4);
  expect_kept(std::vector<double>(3000, 0.1), 4);
}

TEST(NumberColumn, KeepsHardNumbers) {
  const double largest = std::numeric_limits<float>::max();
  for (const double value :
       {0.0, -0.0, 0.1, -0.1, 1e22, 1e23, 5e-324, 2.2250738585072014e-308, 0x1p51, 0x1p53, 0x1p53 + 2,
        largest, -largest, 4503599627370497.5, 123456789012345.67, 1e-22, 1e-23, 9007199254740993.0})
    for (const double other : {0.1, 0.25, -0.0, 1e15 + 0.3, value})
      expect_kept({value, kNaN, other}, column_of({value, kNaN, other}).bytes() / 3);
}

TEST(NumberColumn, GroupsOfOneColumnMayHaveDifferentForms) {
  std::vector<double> values;
  for (const int form : {0, 1, 2, 1, 0, 2, 2, 0})
    for (int i = 0; i < 700; ++i)
      values.push_back(form == 0 ? i / 4.0 : form == 1 ? i / 10.0 : std::sqrt(static_cast<double>(i)));
  const table::NumberColumn column = column_of(values);
  for (std::size_t row = 0; row < values.size(); ++row) ASSERT_EQ(column[row], values[row]);
  for (const std::size_t begin : {0, 1, 1023, 1024, 3000}) {
    const table::NumberColumn part = column.slice(begin, begin + 2500);
    for (std::size_t row = 0; row < 2500; ++row) ASSERT_EQ(part[row], values[begin + row]);
  }
}

TEST(NumberColumn, IsTheSameInWhateverPiecesTheValuesCome) {
  std::mt19937_64 random(5);
  std::uniform_int_distribution<std::size_t> length(1, 1500);
  const std::vector<double> values = made([](double u) { return decimals(u, 3); });
  for (int trial = 0; trial < 20; ++trial) {
    table::NumberColumn column;
    for (std::span<const double> left = values; !left.empty();) {
      const std::size_t n = std::min(left.size(), length(random));
      column.append(left.first(n));
      left = left.subspan(n);
    }
    column.append_missing(1500);
    column.trim();
    ASSERT_EQ(column.size(), values.size() + 1500);
    for (std::size_t row = 0; row < column.size(); ++row)
      ASSERT_EQ(bits(column[row]), bits(row < values.size() ? values[row] : kNaN));
  }
}

TEST(NumberColumn, GivesTheFirstRowsBack) {
  const std::size_t rows = 3 * table::Blocks<float>::kRows;
  for (const double step : {1.0, 0.1, 1 / 3.0}) {
    std::vector<double> values(rows);
    for (std::size_t row = 0; row < rows; ++row) values[row] = step * static_cast<double>(row);
    table::NumberColumn column = column_of(values);
    for (const std::size_t first : {std::size_t{1000}, rows / 2, rows - 1}) {
      column.discard_before(first);
      ASSERT_EQ(column[first], values[first]);
      ASSERT_EQ(column[rows - 1], values[rows - 1]);
    }
    column.discard_before(rows);
  }
}

TEST(NumberColumn, OfAFileHoldsItsNumbers) {
  std::string text = "t\n";
  for (int i = 0; i < 100; ++i) text += fmt::format("{}.1\n", 1600000000 + 777 * i);
  text += "0\n";
  const table::Content content = read_text(text, {}, 40);
  const auto& column = std::get<table::NumberColumn>(content.columns[0].values);
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(column[static_cast<std::size_t>(i)], std::stod(fmt::format("{}.1", 1600000000 + 777 * i)));
  EXPECT_EQ(column[100], 0);
}

}  // namespace
}  // namespace mirrorball::table_test
