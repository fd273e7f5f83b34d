#include "mirrorball/table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "table/read_helpers.h"

namespace mirrorball::table_test {
namespace {

const double kInfinity = std::numeric_limits<double>::infinity();
using Numbers = std::vector<double>;
using Texts = std::vector<std::string>;

Table example() {
  Table table;
  table.add_numbers("width", Numbers{1.5, kNaN, -3});
  table.add_categories("color", Texts{"red", "", "blue"});
  return table;
}

TEST(Table, HoldsWhatIsAdded) {
  const Table table = example();
  EXPECT_EQ(table.rows(), 3u);
  EXPECT_EQ(table.columns(), 2u);
  EXPECT_EQ(table.names(), (Texts{"width", "color"}));
  EXPECT_EQ(table.name(1), "color");
  EXPECT_EQ(table.type(0), ColumnType::kNumber);
  EXPECT_EQ(table.type(1), ColumnType::kCategory);
  EXPECT_EQ(table.number(0, 0), 1.5);
  EXPECT_TRUE(std::isnan(table.number(1, 0)));
  EXPECT_EQ(table.code(0, 1), 0);
  EXPECT_EQ(table.code(1, 1), Table::kMissing);
  EXPECT_EQ(table.code(2, 1), 1);
  EXPECT_EQ(table.categories(1), (Texts{"red", "blue"}));
  EXPECT_EQ(table.source(), "");
}

TEST(Table, IsEmptyAtFirstAndMoves) {
  EXPECT_EQ(Table().rows(), 0u);
  EXPECT_EQ(Table().columns(), 0u);
  Table table = example();
  Table other = std::move(table);
  table = std::move(other);
  EXPECT_EQ(table.rows(), 3u);
}

TEST(Table, FindsColumns) {
  const Table table = example();
  EXPECT_EQ(table.find("color"), 1u);
  EXPECT_EQ(table.find("colour"), std::nullopt);
  EXPECT_EQ(table.column("width"), 0u);
  expect_parts(message_of([&] { table.column("widt"); }),
               {"unknown column 'widt'; the columns are width, color; did you mean 'width'?"});
  expect_parts(message_of([&] { table.column("zzzzzz"); }),
               {"unknown column 'zzzzzz'; the columns are width, color"});
}

TEST(Table, ErrorsOfAdding) {
  Table table = example();
  expect_parts(message_of([&] {
                 table.add_numbers("n", Numbers{1, 2});
               }),
               {"column 'n' has 2 rows, the table has 3"});
  expect_parts(message_of([&] { table.add_categories("c", Texts{"a"}); }),
               {"column 'c' has 1 rows, the table has 3"});
  expect_parts(message_of([&] {
                 table.add_numbers("width", Numbers{1, 2, 3});
               }),
               {"already has a column 'width'"});
  expect_parts(message_of([&] {
                 table.add_categories("width", Texts{"a", "b", "c"});
               }),
               {"already has a column 'width'"});
  expect_parts(message_of([&] { table.add_numbers("", Numbers{1, 2, 3}); }), {"column 3 has no name"});
  for (const double value : {kInfinity, -kInfinity, 1e39})
    expect_parts(message_of([&] {
                   table.add_numbers("n", Numbers{1, value, 3});
                 }),
                 {"column 'n', row 1 (from 0): ", "is infinite or beyond 3.4e38", "NaN"});
  EXPECT_EQ(table.columns(), 2u);
}

TEST(Table, TakesStridedNumbersOfBothWidths) {
  const Numbers matrix = {1, 10, 0.1, 20, kNaN, 30};
  const std::vector<float> narrow = {1.5f, -2.5f, 3.25f};
  Table table;
  table.add_numbers("first", Strided<double>{matrix.data(), 3, 2});
  table.add_numbers("second", Strided<double>{matrix.data() + 1, 3, 2});
  table.add_numbers("backwards", Strided<float>{narrow.data() + 2, 3, -1});
  EXPECT_EQ(table.number(1, 0), 0.1);
  EXPECT_TRUE(std::isnan(table.number(2, 0)));
  EXPECT_EQ(table.number(2, 1), 30);
  EXPECT_EQ(table.number(0, 2), 3.25);
  EXPECT_EQ(table.number(2, 2), 1.5);
}

TEST(Table, TakesCodesAndLevelsInOrderOfAppearance) {
  const std::vector<std::int32_t> codes = {2, -1, 0, 2, 3};
  Table table;
  table.add_categories("c", codes, Texts{"low", "unused", "high", ""});
  EXPECT_EQ(table.categories(0), (Texts{"high", "low"}));
  EXPECT_EQ(table.code(0, 0), 0);
  EXPECT_EQ(table.code(1, 0), Table::kMissing);
  EXPECT_EQ(table.code(2, 0), 1);
  EXPECT_EQ(table.code(4, 0), Table::kMissing);
  expect_parts(message_of([&] {
                 table.add_categories("d", codes, Texts{"low", "mid", "high"});
               }),
               {"column 'd', row 4 (from 0): the code is 3, but there are 3 categories"});
}

TEST(Table, TakesNumbersAsCategories) {
  const Numbers values = {3, 2.5, kNaN, 3};
  Table table;
  table.add_categories("c", Strided<double>{values.data(), 4});
  EXPECT_EQ(table.categories(0), (Texts{"3", "2.5"}));
  EXPECT_EQ(table.code(2, 0), Table::kMissing);
  EXPECT_EQ(table.code(3, 0), 0);
}

TEST(Table, ChangesNames) {
  Table table = example();
  table.set_names(Texts{"color", "width"});
  EXPECT_EQ(table.column("width"), 1u);
  expect_parts(message_of([&] { table.set_names(Texts{"a"}); }), {"1 names were given for 2 columns"});
  expect_parts(message_of([&] { table.set_names(Texts{"a", "a"}); }), {"already has a column 'a'"});
}

TEST(Table, AskingForTheWrongType) {
  const Table table = example();
  expect_parts(message_of([&] { table.number(0, 1); }), {"column 'color' contains categories, not numbers"});
  expect_parts(message_of([&] { table.code(0, 0); }), {"column 'width' contains numbers, not categories"});
  expect_parts(message_of([&] { table.categories(0); }), {"column 'width' contains numbers"});
}

TEST(Table, TextsThatAreAllDatesAreDates) {
  Table table;
  table.add_texts("day", Texts{"2024-02-29", "", "2024-03-01T12:00", "NaT"});
  table.add_texts("some", Texts{"2024-02-29", "", "soon", "2024-03-01"});
  table.add_texts("code", Texts{"2024", "2025", "", "2024"});
  table.add_texts("none", Texts{"", "", "", ""});
  ASSERT_EQ(table.type(0), ColumnType::kNumber);
  EXPECT_TRUE(table.holds_dates(0));
  EXPECT_EQ(table.number(0, 0), 1709164800);
  EXPECT_EQ(table.number(2, 0), 1709164800 + 36 * 3600);
  EXPECT_TRUE(std::isnan(table.number(1, 0)) && std::isnan(table.number(3, 0)));
  EXPECT_EQ(table.categories(1), (Texts{"2024-02-29", "soon", "2024-03-01"}));
  EXPECT_EQ(table.categories(2), (Texts{"2024", "2025"}));  // texts of numbers stay categories
  ASSERT_EQ(table.type(3), ColumnType::kNumber);
  EXPECT_FALSE(table.holds_dates(3));
  EXPECT_TRUE(std::isnan(table.number(0, 3)));
}

TEST(Table, ReadKnowsItsSource) {
  const TempFile file("data.csv", "a,b\n1,x\n");
  const Table table = Table::read(file.path());
  EXPECT_EQ(table.source(), file.path());
  expect_parts(message_of([&] { table.column("c"); }),
               {file.path(), "unknown column 'c'; the columns are a, b"});
  EXPECT_EQ(table.column("b"), 1u);
}

TEST(Table, DiscardGivesBlocksBack) {
  const std::size_t rows = 2 * table::Blocks<float>::kRows + 5;
  Table table;
  Numbers values(rows);
  for (std::size_t i = 0; i < rows; ++i) values[i] = static_cast<double>(i);
  table.add_numbers("n", values);
  table.add_categories("c", Texts(rows, "x"));
  table.discard_before(table::Blocks<float>::kRows + 3);
  EXPECT_EQ(table.rows(), rows);
  EXPECT_EQ(table.number(table::Blocks<float>::kRows, 0), static_cast<double>(table::Blocks<float>::kRows));
  EXPECT_EQ(table.code(rows - 1, 1), 0);
  table.discard_before(2 * table::Blocks<float>::kRows);
  EXPECT_EQ(table.number(rows - 1, 0), static_cast<double>(rows - 1));
  table.discard_before(rows);
}

TEST(Table, VariesAColumnOfARow) {
  Table table;
  table.add_numbers("n", Numbers{1, 2.5});
  table.add_numbers("gap", Numbers{1, kNaN});
  table.add_categories("c", Texts{"x", "y"});
  table.add_categories("none", Texts{"x", ""});
  const Table varied = table.vary(1, 0, Numbers{7, 8, 9});
  ASSERT_EQ(varied.rows(), 3u);
  EXPECT_EQ(varied.names(), table.names());
  for (std::size_t row = 0; row < 3; ++row) {
    EXPECT_EQ(varied.number(row, 0), 7 + static_cast<double>(row));
    EXPECT_TRUE(std::isnan(varied.number(row, 1)));
    EXPECT_EQ(varied.categories(2)[static_cast<std::size_t>(varied.code(row, 2))], "y");
    EXPECT_EQ(varied.code(row, 3), Table::kMissing);
  }
}

TEST(Table, WritesWhatItReads) {
  Table table;
  table.add_numbers("x", Numbers{0.1, -2.5e-30, kNaN, 16777216});
  table.add_numbers("time, unix", Numbers{1700000000, 1700000061, 1700000122.5, kNaN});
  table.add_numbers("year", Numbers{2005.1, 2006.7, kNaN, 2007});
  table.add_categories("t", Texts{"a,b", "", "say \"hi\"", " two\nlines "});
  std::ostringstream out;
  table.write_csv(out);
  EXPECT_EQ(out.str(),
            "x,\"time, unix\",year,t\n0.1,1700000000,2005.1,\"a,b\"\n-2.5e-30,1700000061,2006.7,\n"
            ",1700000122.5,,\"say \"\"hi\"\"\"\n16777216,,2007,\" two\nlines \"\n");
  const TempFile file("data.csv", out.str());
  const Table again = Table::read(file.path());
  std::ostringstream second;
  again.write_csv(second);
  EXPECT_EQ(second.str(), out.str());
  for (std::size_t row = 0; row < 4; ++row) {
    for (std::size_t column = 0; column < 3; ++column)
      EXPECT_TRUE(table.number(row, column) == again.number(row, column) ||
                  std::isnan(table.number(row, column)));
    EXPECT_EQ(table.code(row, 3), again.code(row, 3));
  }
  EXPECT_EQ(table.categories(3), again.categories(3));
}

TEST(Table, OneColumnOfGapsSurvivesWriting) {
  Table table;
  table.add_numbers("x", Numbers{1, kNaN, kNaN});
  std::ostringstream out;
  table.write_csv(out);
  const TempFile file("data.csv", out.str());
  EXPECT_EQ(Table::read(file.path()).rows(), 3u);
}

}  // namespace
}  // namespace mirrorball::table_test
