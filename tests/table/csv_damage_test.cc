#include <gtest/gtest.h>

#include <random>
#include <string>

#include "table/read_helpers.h"

namespace mirrorball::table_test {
namespace {

std::string random_text(std::mt19937& bits, bool arff) {
  static const std::string kLetters = "aab112.,,,,;\"\"\n\n\n\r \t'%@{}\\?-e+\xC3\xA9";
  std::string text = arff ? "@relation r\n@attribute a real\n@attribute b string\n@data\n" : "";
  for (std::size_t n = bits() % 300; n > 0; --n) text += kLetters[bits() % kLetters.size()];
  return text;
}

/// The table as text, or the message of the error.
std::string outcome(const std::string& path, unsigned threads, std::size_t piece_bytes) {
  ReadOptions options;
  options.threads = threads;
  try {
    return dump(table::read_content(table::open_bytes(path), options, piece_bytes));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(CsvDamage, AnyTextIsATableOrOneErrorWhateverTheThreads) {
  std::mt19937 bits(2024);
  for (int trial = 0; trial < 600; ++trial) {
    const TempFile file("data.csv", random_text(bits, trial % 3 == 0));
    for (const std::size_t piece : {5, 40, 1 << 20}) {
      const std::string one = outcome(file.path(), 1, piece);
      ASSERT_EQ(outcome(file.path(), 3, piece), one);
    }
  }
}

TEST(CsvDamage, RowsOfShortCellsInAnyOrder) {
  static const char* kCells[] = {"1",       "-2.5",           "x",  "",    "\"q\"",
                                 "\"a,b\"", "\"two\nlines\"", "NA", " 3 ", "5\" x"};
  std::mt19937 bits(7);
  for (int trial = 0; trial < 300; ++trial) {
    std::string text = "a,b,c\n";
    for (std::size_t rows = 1 + bits() % 40; rows > 0; --rows)
      text += fmt::format("{},{},{}\n", kCells[bits() % 10], kCells[bits() % 10], kCells[bits() % 10]);
    const TempFile file("data.csv", text);
    const std::string whole = outcome(file.path(), 1, table::kPieceBytes);
    for (const std::size_t piece : {4, 11, 64}) ASSERT_EQ(outcome(file.path(), 2, piece), whole) << text;
  }
}

}  // namespace
}  // namespace mirrorball::table_test
