#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "mirrorball/table_source.h"
#include "table/file_list.h"
#include "table/read_helpers.h"

namespace mirrorball::table_test {
namespace {

/// Files in a folder of their own.
class TableFiles : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    const std::string path = (folder() / name).string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  std::filesystem::path folder() const { return std::filesystem::path(place_.path()).parent_path(); }
  std::string pattern(const std::string& name) const { return (folder() / name).string(); }

  TempFile place_;
};

/// All cells of a column, of one table or of the blocks of a source.
std::string cells(const Table& table, const std::string& name) {
  std::string text;
  const std::size_t column = table.column(name);
  for (std::size_t row = 0; row < table.rows(); ++row)
    text += table.type(column) == ColumnType::kNumber
                ? fmt::format("{} ", table.number(row, column))
                : table.categories(column)[static_cast<std::size_t>(table.code(row, column))] + " ";
  return text;
}

TEST_F(TableFiles, APatternIsOneTableInTheOrderOfTheNames) {
  write("part-2.csv", "a,b\n3,x\n");
  write("part-10.csv", "a,b\n1,y\n2,x\n");
  write("other.csv", "c\n1\n");
  const Table table = Table::read(pattern("part-*.csv"));
  EXPECT_EQ(cells(table, "a"), "1 2 3 ");
  EXPECT_EQ(cells(table, "b"), "y x x ");
  EXPECT_EQ(table.source(), pattern("part-10.csv") + " and 1 more file");
}

TEST_F(TableFiles, AListKeepsItsOrderAndBlocksCountOn) {
  const std::vector<std::string> files = {write("z.csv", "a\n1\n2\n\n"), write("empty.csv", "a\n"),
                                          write("a.tsv", "a\n3")};
  EXPECT_EQ(cells(Table::read_files(files), "a"), "1 2 3 ");
  const auto source = open_table_files(files);
  std::string all;
  std::size_t rows = 0;
  while (const std::optional<Table> block = source->next()) {
    EXPECT_EQ(block->first_row(), rows);
    rows += block->rows();
    all += cells(*block, "a");
  }
  EXPECT_EQ(all, "1 2 3 ");
}

TEST_F(TableFiles, TextInALaterFileMakesTheColumnTextInAll) {
  const std::vector<std::string> files = {write("1.csv", "a,b\n1,1\n2,2\n"), write("2.csv", "a,b\n3,red\n")};
  const Table table = Table::read_files(files);
  EXPECT_EQ(cells(table, "a"), "1 2 3 ");
  EXPECT_EQ(cells(table, "b"), "1 2 red ");
}

TEST_F(TableFiles, AFileOfThatNameIsNoPattern) {
  const std::string strange = write("a[1].csv", "a\n7\n");
  write("a1.csv", "a\n8\n");
  EXPECT_EQ(cells(Table::read(strange), "a"), "7 ");
}

TEST_F(TableFiles, OtherColumnsAreRefusedWithBothFilesAndTheColumn) {
  const std::string first = write("1.csv", "a,b\n1,1\n");
  const auto refused = [&](const std::string& text, std::initializer_list<std::string_view> parts) {
    const std::vector<std::string> files = {first, write("2.csv", text)};
    const std::string message = message_of([&] { Table::read_files(files); });
    expect_parts(message, {first, files[1]});
    expect_parts(message, parts);
  };
  refused("a,c\n1,1\n", {"column 2 is 'c'", "it is 'b'"});
  refused("b,a\n1,1\n", {"column 1 is 'b'", "it is 'a'", "same order"});
  refused("a\n1\n", {"1 columns", "has 2", "'b', is missing"});
  refused("a,b,d\n1,1,1\n", {"3 columns", "has 2", "'d', is too many"});
}

TEST_F(TableFiles, ErrorsNameTheFileAndItsLine) {
  const std::vector<std::string> files = {write("1.csv", "a,b\n1,1\n1,inf\n"),
                                          write("2.csv", "a,b\n1,1\n1\n")};
  expect_parts(message_of([&] { Table::read_files(files); }), {files[0] + ":3: column 'b': 'inf'"});
  const std::vector<std::string> second = {write("3.csv", "a,b\n1,1\n"), files[1]};
  expect_parts(message_of([&] { Table::read_files(second); }), {files[1] + ":3: 1 cell"});
}

TEST_F(TableFiles, WhatCannotBeOneTableIsRefused) {
  const std::string file = write("1.csv", "a\n1\n");
  const auto refused = [](const std::vector<std::string>& names,
                          std::initializer_list<std::string_view> parts) {
    expect_parts(message_of([&] { table::files_of(names); }), parts);
  };
  refused({pattern("no-*.csv")}, {"no-*.csv", "no file matches"});
  refused({file, pattern("*.csv")}, {file, "given twice"});
  refused({file, "-"}, {"standard input", "2 files"});
  refused({}, {"no file"});
}

}  // namespace
}  // namespace mirrorball::table_test
