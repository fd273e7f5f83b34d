#include "table/csv_writer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace mirrorball::table_test {
namespace {

std::string written(double value) {
  std::ostringstream out;
  table::CsvWriter writer(out);
  writer.cell(value);
  writer.finish();
  return out.str();
}

TEST(CsvWriter, SevenDigits) {
  EXPECT_EQ(written(0), "0");
  EXPECT_EQ(written(-0.5), "-0.5");
  EXPECT_EQ(written(1.0 / 3), "0.3333333");
  EXPECT_EQ(written(100), "100");
  EXPECT_EQ(written(9.99999999), "10");
  EXPECT_EQ(written(1234567.4), "1234567");
  EXPECT_EQ(written(9999999.4), "9999999");
  EXPECT_EQ(written(9999999.6), "1e+07");
  EXPECT_EQ(written(0.000123456789), "0.0001234568");
  EXPECT_EQ(written(0.0000123456789), "1.234568e-05");
  EXPECT_EQ(written(6.02214076e23), "6.022141e+23");
  EXPECT_EQ(written(std::nan("")), "");
}

TEST(CsvWriter, AgreesWithFmt) {
  std::mt19937_64 bits(7);
  std::normal_distribution<double> normal;
  int different = 0;
  for (int i = 0; i < 200000; ++i) {
    const double value = normal(bits) * std::pow(10, std::round(3 * normal(bits)));
    const std::string fast = written(value);
    if (fast == fmt::format("{:.7g}", value)) continue;
    ++different;  // only where a double lies a rounding error from the middle between two results
    EXPECT_NEAR(std::stod(fast), value, std::abs(value) * 5.001e-7);
  }
  EXPECT_LE(different, 2);
}

TEST(CsvWriter, QuotesWhereNeeded) {
  std::ostringstream out;
  {
    table::CsvWriter writer(out);
    writer.header(
        std::vector<std::string>{"plain", "a,b", "a;b", "say \"hi\"", " pad", "two\nlines", "tab\there"});
    writer.cell("");
    writer.cell("x y");
    writer.cell(std::string_view("\r"));
    writer.cell(2.5);
    writer.end_row();
  }
  EXPECT_EQ(
      out.str(),
      "plain,\"a,b\",\"a;b\",\"say \"\"hi\"\"\",\" pad\",\"two\nlines\",\"tab\there\"\n,x y,\"\r\",2.5\n");
}

TEST(CsvWriter, OtherSeparators) {
  for (const char separator : {'\t', '|'}) {
    std::ostringstream out;
    table::CsvWriter writer(out, separator);
    writer.header(std::vector<std::string>{"a", "b|c", "d\te"});
    writer.cell(1);
    writer.cell("x y");
    writer.cell("1,5");
    writer.end_row();
    writer.finish();
    EXPECT_EQ(out.str(), fmt::format("a{0}\"b|c\"{0}\"d\te\"\n1{0}x y{0}\"1,5\"\n", separator));
  }
}

TEST(CsvWriter, AGapAloneInItsRowIsNotABlankLine) {
  std::ostringstream out;
  table::CsvWriter writer(out);
  writer.header(std::vector<std::string>{"a"});
  writer.cell(std::nan(""));
  writer.end_row();
  writer.exact(std::nan(""));
  writer.end_row();
  writer.finish();
  EXPECT_EQ(out.str(), "a\n\"\"\n\"\"\n");
}

TEST(CsvWriter, ExactNumbers) {
  std::ostringstream out;
  table::CsvWriter writer(out);
  for (const double value : {0.1, 16777216.0, 1e-30, 1.0 / 3, -2.0}) writer.exact(value);
  writer.finish();
  EXPECT_EQ(out.str(), "0.1,16777216,1e-30,0.3333333333333333,-2");
}

TEST(CsvWriter, ManyRowsPassTheBuffer) {
  std::ostringstream out;
  std::string expected;
  {
    table::CsvWriter writer(out);
    for (int row = 0; row < 30000; ++row) {
      writer.cell(row);
      writer.cell("t");
      writer.end_row();
      expected += fmt::format("{},t\n", row);
    }
  }
  EXPECT_EQ(out.str(), expected);
}

}  // namespace
}  // namespace mirrorball::table_test
