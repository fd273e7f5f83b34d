#include "table/column_hint.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mirrorball::table_test {
namespace {

std::vector<double> counted(std::size_t rows, double step = 1) {
  std::vector<double> values(rows);
  for (std::size_t row = 0; row < rows; ++row) values[row] = step * static_cast<double>(row);
  return values;
}

std::string hint_of(const std::vector<double>& values, bool flags = false, bool declared = false) {
  Table table;
  table.add_numbers("id", values);
  return table::column_hint(table, 0, declared, flags);
}

std::string hint_of(const std::vector<std::string>& texts, bool flags = false, bool declared = false) {
  Table table;
  table.add_texts("code", texts);
  return table::column_hint(table, 0, declared, flags);
}

TEST(ColumnHint, RowNumbers) {
  EXPECT_EQ(hint_of(counted(100)),
            "column 'id' has a different integer in every row; drop it if it is a row number");
  EXPECT_EQ(
      hint_of(counted(100), true),
      "column 'id' has a different integer in every row; drop it with --ignore id if it is a row number");
  EXPECT_EQ(hint_of(counted(99)), "");        // too few rows to say
  EXPECT_EQ(hint_of(counted(100, 0.5)), "");  // not integers
  EXPECT_EQ(hint_of(counted(100, 50)), "");   // too far apart
  std::vector<double> twice = counted(100);
  twice[7] = 8;
  EXPECT_EQ(hint_of(twice), "");
}

TEST(ColumnHint, Categories) {
  std::vector<std::string> texts(200);
  for (std::size_t row = 0; row < texts.size(); ++row) texts[row] = std::to_string(row % 50);
  EXPECT_EQ(hint_of(texts), "");
  texts[3] = "unknown";
  EXPECT_EQ(
      hint_of(texts),
      "column 'code' is read as text because of 'unknown' (50 of its 51 values are numbers); replace such "
      "cells by missing values to use the column as numbers");
  for (std::size_t row = 0; row < texts.size(); ++row) texts[row] = "n" + std::to_string(row);
  EXPECT_EQ(hint_of(texts, false, true), "column 'code' is not used: it has 200 different texts in 200 rows");
  texts[7] = "";
  EXPECT_EQ(hint_of(texts), "column 'code' is not used: it has 199 different texts in 199 rows");
}

TEST(ColumnHint, OneBadDate) {
  std::vector<std::string> texts(20);
  for (std::size_t row = 0; row < texts.size(); ++row) texts[row] = "2024-02-" + std::to_string(row + 10);
  texts[4] = "2024-02-30";
  EXPECT_EQ(hint_of(texts, true),
            "column 'code' is read as text because of '2024-02-30' in data row 5 (19 of its 20 values are "
            "dates); correct that cell, or replace it by a missing value, to use the column as dates");
  texts[4] = "2024";
  EXPECT_EQ(hint_of(texts),
            "column 'code' is read as text because of '2024' in data row 5 (19 of its 20 values are dates); "
            "correct that cell, or replace it by a missing value, to use the column as dates");
}

TEST(ColumnHint, NumbersAndDatesInOtherForms) {
  std::vector<std::string> texts(40);
  for (std::size_t row = 0; row < texts.size(); ++row) texts[row] = "$1," + std::to_string(row + 100);
  EXPECT_EQ(
      hint_of(texts),
      "column 'code' looks like numbers, for example '$1,100'; write them like 1234.5 to use the column "
      "as numbers");
  for (std::size_t row = 0; row < texts.size(); ++row) texts[row] = std::to_string(row % 28 + 1) + ".2.2024";
  texts[5] = "unknown";  // one slip, and one date that would be read
  texts[6] = "2024-02-03";
  EXPECT_EQ(hint_of(texts),
            "column 'code' looks like dates, for example '1.2.2024'; write them like 2024-02-29 to use the "
            "column as dates");
  for (std::size_t row = 0; row < 20; ++row) texts[row] = "word " + std::to_string(row);
  EXPECT_EQ(hint_of(texts), "column 'code' is not used: it has 40 different texts in 40 rows");
}

TEST(ColumnHint, NumbersAmongDates) {
  const auto hint = [](std::vector<double> values) {
    Table table;
    table.add_numbers("day", values);
    table.set_dates(0);
    return table::column_hint(table, 0, false, true);
  };
  constexpr double kDay = 86400, k2024 = 1704067200;
  std::vector<double> days(200);
  for (std::size_t row = 0; row < days.size(); ++row) days[row] = kDay * static_cast<double>(row);
  EXPECT_EQ(hint(days), "");  // true dates of 1970
  for (double& day : days) day += k2024;
  EXPECT_EQ(hint(days), "");
  days[4] = 20241301;  // no such month
  EXPECT_EQ(hint(days), "");
  days[4] = 20240229;
  EXPECT_EQ(hint(days),
            "column 'day' has 1 number among its dates, first 20240229 in data row 5: read as seconds since "
            "1970; write it like "
            "2024-02-29");
  days[7] = 2023;
  EXPECT_EQ(hint(days),
            "column 'day' has 2 numbers among its dates, first 20240229 in data row 5: read as seconds since "
            "1970; write them "
            "like 2024-02-29");
}

}  // namespace
}  // namespace mirrorball::table_test
