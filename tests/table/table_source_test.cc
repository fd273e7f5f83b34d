#include "mirrorball/table_source.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <string>
#include <vector>

#include "table/blocks.h"
#include "table/read_helpers.h"

namespace mirrorball::table_test {
namespace {

/// The blocks of a text that is cut into pieces of `piece_bytes`.
std::vector<table::Content> blocks_of(std::string_view text, const ReadOptions& options,
                                      std::size_t piece_bytes) {
  table::BlockReader reader(table::bytes_in_memory(text, "data.csv"), options, piece_bytes);
  std::vector<table::Content> blocks;
  while (std::optional<table::Content> block = reader.next()) blocks.push_back(*std::move(block));
  return blocks;
}

/// Every number of a column to the bit, or every text.
std::vector<std::string> values_of(const table::Content& content, std::size_t column) {
  std::vector<std::string> values;
  const table::Column& one = content.columns[column];
  for (std::size_t row = 0; row < content.rows; ++row) {
    if (const auto* numbers = std::get_if<table::NumberColumn>(&one.values)) {
      const double number = (*numbers)[row];
      values.push_back(std::isnan(number) ? "_" : fmt::format("{:x}", std::bit_cast<std::uint64_t>(number)));
    } else {
      const auto& categories = std::get<table::CategoryColumn>(one.values);
      values.push_back(
          categories[row] < 0 ? "_" : categories.categories()[static_cast<std::size_t>(categories[row])]);
    }
  }
  return values;
}

/// The blocks one after the other must be the whole.
void expect_same(const std::vector<table::Content>& blocks, const table::Content& whole) {
  std::size_t rows = 0;
  std::vector<std::vector<std::string>> joined(whole.columns.size());
  for (const table::Content& block : blocks) {
    EXPECT_EQ(block.first_row, rows);
    EXPECT_GT(block.rows, 0u);
    EXPECT_EQ(block.header, whole.header);
    EXPECT_EQ(block.source, "data.csv");
    rows += block.rows;
    for (std::size_t c = 0; c < joined.size(); ++c)
      for (std::string& value : values_of(block, c)) joined[c].push_back(std::move(value));
  }
  ASSERT_EQ(rows, whole.rows);
  for (std::size_t c = 0; c < joined.size(); ++c) EXPECT_EQ(joined[c], values_of(whole, c)) << c;
}

/// Times from the first row on, times after many missing values, and numbers of every length.
std::string table_of_times(std::size_t rows) {
  std::mt19937 bits(7);
  std::string text = "time,late,name,plain,empty\n";
  for (std::size_t row = 0; row < rows; ++row)
    text += fmt::format("{},{},n{},{},\n", 1700000000 + bits() % 100000 * 0.25,
                        row < 2500 ? "" : fmt::format("{}", 5e9 + bits() % 1000), bits() % 50,
                        static_cast<double>(bits()) / 3e8);
  return text;
}

ReadOptions types() {
  ReadOptions options;
  options.numbers = {"time", "late", "plain", "empty"};
  options.categories = {"name"};
  return options;
}

TEST(TableSource, BlocksHoldWhatTheWholeHoldsToTheBit) {
  const std::string text = table_of_times(6000);
  const table::Content whole = read_text(text, types());
  for (const std::size_t piece : {100, 1000, 4096, 20000}) {
    for (const unsigned threads : {1u, 3u}) {
      ReadOptions options = types();
      options.threads = threads;
      const std::vector<table::Content> blocks = blocks_of(text, options, piece);
      EXPECT_GE(blocks.size(), 3u) << piece;
      expect_same(blocks, whole);
    }
  }
}

TEST(TableSource, ABlockIsSmallWhateverTheTable) {
  const std::vector<table::Content> blocks = blocks_of(table_of_times(50000), types(), 4096);
  for (std::size_t i = 1; i < blocks.size(); ++i) EXPECT_LE(blocks[i].rows, 4096u);
}

TEST(TableSource, LinesAndRowsGoOnCounting) {
  std::string text = "a,b\n";
  for (int i = 0; i < 5000; ++i) text += "1,2\n";
  text += "1,x\n";
  table::BlockReader reader(table::bytes_in_memory(text, "data.csv"), {{}, {"a", "b"}, {}}, 256);
  std::size_t rows = 0;
  const std::string message = message_of([&] {
    while (std::optional<table::Content> block = reader.next()) rows += block->rows;
  });
  EXPECT_GT(rows, 4000u);
  expect_parts(message, {"data.csv:5002: column 'b': 'x' is not a number"});
}

TEST(TableSource, AGuessedTypeThatTurnsOutWrongIsAnErrorWithAWayOut) {
  std::string text = "a\n";
  for (int i = 0; i < 3000; ++i) text += "1\n";
  expect_parts(message_of([&] { blocks_of(text + "late\n", {}, 64); }),
               {"data.csv:3002: column 'a': 'late' is text", "--category a"});
}

TEST(TableSource, BlankLinesBetweenBlocksAreGapsOfASingleColumn) {
  std::string text = "a\n";
  for (int i = 0; i < 3000; ++i) text += i % 3 == 0 ? "\n\n\n" : "7\n";
  text += "8\n\n\n";
  const ReadOptions options{{}, {"a"}, {}};
  expect_same(blocks_of(text, options, 16), read_text(text, options));
}

TEST(TableSource, NoRowsAreAnError) {
  for (const char* text : {"a,b\n", "a,b"})
    expect_parts(message_of([&] { blocks_of(text, {}, 64); }),
                 {"data.csv: the file has a header but no rows"});
  const Table none;
  const auto source = open_table(none);
  expect_parts(message_of([&] { source->next(); }), {"no rows"});
}

TEST(TableSource, OpensFilesBytesAndTables) {
  const std::string text = "a,b\n1,x\n2,y\n";
  const TempFile file("data.csv", text);
  const Table table = Table::read(file.path());
  const auto check = [&](TableSource& source, const std::string& name) {
    EXPECT_EQ(source.name(), name);
    const std::optional<Table> block = source.next();
    ASSERT_TRUE(block);
    EXPECT_EQ(block->rows(), 2u);
    EXPECT_EQ(block->first_row(), 0u);
    EXPECT_EQ(block->number(1, 0), 2);
    EXPECT_EQ(block->categories(1), table.categories(1));
    EXPECT_EQ(block->source(), name);
    EXPECT_EQ(source.share(), 1.0);
    EXPECT_FALSE(source.next());
    EXPECT_FALSE(source.next());
  };
  check(*open_table(file.path()), file.path());
  check(*open_table_bytes(text, "upload"), "upload");
  check(*open_table(table), file.path());
  EXPECT_EQ(open_table(table)->rows(), 2u);
  EXPECT_FALSE(open_table(file.path())->rows());
}

TEST(TableSource, BytesAreReadAsAFileIs) {
  const std::string text = "a,b\n1,x\n2,\"y\n3,z\n";
  expect_parts(message_of([&] { Table::read_bytes(text, "upload"); }), {"upload:3: a quote opens here"});
  EXPECT_EQ(Table::read_bytes("a\n1\nx\n", "upload").categories(0), (std::vector<std::string>{"1", "x"}));
}

TEST(TableSource, ATableComesInSlices) {
  const std::size_t rows = table::Blocks<float>::kRows + 100;
  std::vector<double> times(rows);
  for (std::size_t row = 0; row < rows; ++row) times[row] = 1.7e9 + static_cast<double>(row) / 8;
  std::vector<std::string> names(rows, "x");
  names.back() = "last";
  Table table;
  table.add_numbers("time", times);
  table.add_categories("name", names);
  const auto source = open_table(table);
  EXPECT_EQ(source->next()->rows(), table::Blocks<float>::kRows);
  const std::optional<Table> rest = source->next();
  ASSERT_EQ(rest->rows(), 100u);
  EXPECT_EQ(rest->first_row(), table::Blocks<float>::kRows);
  for (std::size_t row = 0; row < 100; ++row)
    ASSERT_EQ(rest->number(row, 0), table.number(rest->first_row() + row, 0));
  EXPECT_EQ(rest->categories(1), (std::vector<std::string>{"x", "last"}));
  EXPECT_THROW(table.slice(3, rows + 1), std::invalid_argument);
}

}  // namespace
}  // namespace mirrorball::table_test
