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

std::string hint_of(const std::vector<double>& values, bool flags = false) {
  Table table;
  table.add_numbers("id", values);
  return table::column_hint(table, 0, flags);
}

std::string hint_of(const std::vector<std::string>& texts, bool flags = false) {
  Table table;
  table.add_texts("code", texts);
  return table::column_hint(table, 0, flags);
}

TEST(ColumnHint, RowNumbers) {
  EXPECT_EQ(hint_of(counted(100)), "a different integer in every row; drop it if it is a row number");
  EXPECT_EQ(hint_of(counted(100), true),
            "a different integer in every row; drop it with --ignore id if it is a row number");
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
  EXPECT_EQ(hint_of(texts),
            "50 of them are numbers, but not 'unknown'; convert the column to numbers if all "
            "should be");
  EXPECT_EQ(hint_of(texts, true),
            "50 of them are numbers, but not 'unknown'; use --number code if all should be");
  for (std::size_t row = 0; row < texts.size(); ++row) texts[row] = "n" + std::to_string(row);
  EXPECT_EQ(hint_of(texts), "few rows each: not used");
  EXPECT_EQ(hint_of(texts, true), "few rows each: not used; drop it with --ignore code");
}

}  // namespace
}  // namespace mirrorball::table_test
