#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "table/read_helpers.h"

namespace mirrorball::table_test {
namespace {

TEST(CsvErrors, RaggedRows) {
  expect_read_error("a,b,c\n1,2,3\n1,2\n", {"data.csv:3: 2 cells, but the header has 3 columns"});
  expect_read_error("a,b\n1,2\n\n1,2,3,4\n", {"data.csv:3: a blank line, but the header has 2 columns"});
  expect_read_error("a,b\n1,2,3,4\n", {"data.csv:2: 4 cells, but the header has 2 columns"});
  expect_read_error("a\n1\n1,2\n", {"data.csv:3: 2 cells, but the header has 1 column"});
  expect_read_error("a,b\n\"x\ny\",1\n\"u\nv\"\n", {"data.csv:4: 1 cell, but the header has 2 columns"});
}

TEST(CsvErrors, BlankLineAcrossPieces) {
  for (const std::size_t piece : {1, 2, 4, 9})
    expect_read_error("a,b\n1,2\n\n\n\n\n3,4\n", {"data.csv:3: a blank line"}, {}, piece);
}

TEST(CsvErrors, FirstProblemIsReportedWhateverTheThreads) {
  std::string text = "a,b\n";
  for (int i = 0; i < 200; ++i) text += "1,2\n";
  text += "1,inf\n";
  for (int i = 0; i < 200; ++i) text += "1\n";
  text += "\"open\n";
  for (const unsigned threads : {1u, 2u, 7u}) {
    ReadOptions options;
    options.threads = threads;
    expect_read_error(text, {"data.csv:202: column 'b': 'inf' is infinite"}, options, 32);
  }
}

TEST(CsvErrors, InfiniteNumbers) {
  for (const std::string cell : {"inf", "-Infinity", "INF", "+inf", "1e999", "-1e39", "\"inf\""})
    expect_read_error("x,price\n1,2\n1," + cell + "\n",
                      {"data.csv:3: column 'price': '", "is infinite or beyond 3.4e38",
                       "leave the cell of a feature empty"});
}

TEST(CsvErrors, TextInDeclaredNumbers) {
  ReadOptions options;
  options.numbers = {"price"};
  expect_read_error(
      "x,price\n1,2\n\"a\nb\",cheap\n",
      {"data.csv:4: column 'price': 'cheap' is not a number", "leave the cell of a feature empty"}, options);
  options.categories = {"price"};
  expect_read_error("x,price\n1,2\n", {"column 'price' is declared both category and number"}, options);
}

TEST(CsvErrors, LongOrMultiLineCellsAreShownShort) {
  ReadOptions options;
  options.numbers = {"a"};
  expect_read_error("a\n\"line\nline " + std::string(1000, 'x') + "\"\n",
                    {"'line line xxx", "xxx...' is not"}, options);
}

TEST(CsvErrors, Names) {
  expect_read_error("a,b,a\n1,2,3\n", {"data.csv:1: duplicate column name 'a'"});
  expect_read_error("a,,c\n1,2,3\n", {"data.csv:1: column 2 of 3 has no name"});
  expect_read_error("a,b,\n1,2,3\n", {"column 3 of 3 has no name"});
  expect_read_error(",column1\n1,2\n", {"duplicate column name 'column1'"});
}

TEST(CsvErrors, EmptyAndHeaderOnly) {
  expect_read_error("", {"data.csv: the file is empty"});
  expect_read_error("\n \n", {"the file is empty"});
  expect_read_error("\xEF\xBB\xBF", {"the file is empty"});
  expect_read_error("a,b\n", {"data.csv: the file has a header but no rows"});
  expect_read_error("a,b", {"the file has a header but no rows"});
  expect_read_error("a,b\n\n\n", {"the file has a header but no rows"});
}

TEST(CsvErrors, Quotes) {
  for (const std::size_t piece : {3, 16, 1000}) {
    expect_read_error("a,b\n1,2\n\"x\ny\",\"never\n1,2\n3,4\n",
                      {"data.csv:4: a quote opens here and is never closed", "must be doubled"}, {}, piece);
    expect_read_error("a,b\n1,2\n\"x\"y,2\n1,2\n", {"data.csv:3: text follows the closing quote"}, {}, piece);
  }
  expect_read_error("a,\"b\n1,2\n", {"data.csv:1: a quote in the header is never closed"});
  expect_read_error("a,\"b\"c,d\n1,2,3\n", {"data.csv:1: a stray quote in the name of column 2"});
}

TEST(CsvErrors, QuoteThatWouldSwallowTheFile) {
  const std::string text = "a,b\n1,2\n1,\"" + std::string(20000, '\n');
  expect_read_error(text, {"data.csv:3: a quote opens here and is never closed"}, {}, 16);
  expect_read_error("a,b\n1,2\n" + std::string(20000, 'x'), {"a line of more than 4096 bytes"}, {}, 16);
  expect_read_error(std::string(20000, 'x'), {"data.csv:1: a line of more than 4096 bytes"}, {}, 16);
}

TEST(CsvErrors, BinaryData) {
  expect_read_error(std::string("a,b\n1,\0002\n", 9),
                    {"data.csv: binary data (a NUL byte at offset 6)", "expected CSV"});
  expect_read_error(std::string("\xFF\xFE"
                                "a\0,\0b\0\n\0",
                                10),
                    {"binary data", "UTF-8"});
}

TEST(CsvErrors, FilesThatCannotBeRead) {
  const TempFile file;
  const auto read = [](const std::string& path) {
    return message_of<std::runtime_error>([&] { Table::read(path); });
  };
  EXPECT_EQ(read(file.path()), file.path() + ": No such file or directory");
  const std::string folder = std::filesystem::path(file.path()).parent_path().string();
  EXPECT_EQ(read(folder), folder + ": Is a directory");
}

}  // namespace
}  // namespace mirrorball::table_test
