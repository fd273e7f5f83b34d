#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "mirrorball/table_source.h"
#include "table/read_helpers.h"

namespace mirrorball::table_test {
namespace {

ReadOptions keeping(std::vector<std::string> names) {
  ReadOptions options;
  options.keep = std::move(names);
  return options;
}

std::string texts(const Table& table, std::size_t place) {
  std::string all;
  for (std::size_t row = 0; row < table.rows(); ++row) all += fmt::format("<{}>", table.kept(row, place));
  return all;
}

const std::string kText =
    "id,x,note\n007,1.50,\"a, \"\"b\"\"\"\n 8 ,NA,\n\"9\",+2,\"two\nlines\"\n1e3,true,K\xF6ln\n";

TEST(Kept, TextStaysAsItIsInTheFile) {
  const Table table = Table::read_bytes(kText, "data.csv", keeping({"note", "id", "x"}));
  EXPECT_EQ(texts(table, 0), "<a, \"b\"><><two\nlines><Köln>");
  EXPECT_EQ(texts(table, 1), "<007><8><9><1e3>");
  EXPECT_EQ(texts(table, 2), "<1.50><NA><+2><true>");
}

TEST(Kept, ColumnsAreReadAsWithoutIt) {
  EXPECT_EQ(dump(read_text(kText, keeping({"note", "id", "x"}))), dump(read_text(kText)));
  ReadOptions options = keeping({"note", "x"});
  options.numbers = {"x"};
  options.only_named = true;
  EXPECT_EQ(dump(read_text(kText, options)), "x: 1.5 _ 2 1\n");
  const Table table = Table::read_bytes(kText, "data.csv", options);
  EXPECT_EQ(texts(table, 0), "<a, \"b\"><><two\nlines><Köln>");
  EXPECT_EQ(table.columns(), 1u);
}

TEST(Kept, BlocksSlicesAndBlankLines) {
  std::string text = "a\n", expected;
  for (int row = 0; row < 5000; ++row) {
    text += row % 3 == 1 ? "\n" : fmt::format("{:04}\n", row);
    expected += row % 3 == 1 ? "<>" : fmt::format("<{:04}>", row);
  }
  text += "5000\n";
  expected += "<5000>";
  std::string found;
  table::BlockReader reader(table::bytes_in_memory(text, "data.csv"), keeping({"a"}), 64);
  while (auto block = reader.next()) found += texts(Table(*std::move(block)), 0);
  EXPECT_EQ(found, expected);
  const Table table = Table::read_bytes(text, "data.csv", keeping({"a"}));
  EXPECT_EQ(texts(table, 0), expected);
  EXPECT_EQ(texts(table.slice(2, 5), 0), "<0002><0003><>");
}

TEST(Kept, ErrorsAreThoseOfColumns) {
  expect_read_error(kText, {"there is no column 'nota' among id, x, note", "did you mean 'note'"},
                    keeping({"nota"}));
  ReadOptions options = keeping({"a"});
  options.only_named = true;
  options.numbers = {"b"};
  expect_read_error("a,a,b\n1,2,3\n", {"duplicate column name 'a'"}, options);
}

TEST(Kept, EmptyTablesWhereTheyAreAllowed) {
  ReadOptions options = keeping({"id"});
  options.allow_empty = true;
  EXPECT_EQ(Table::read_bytes("id,x\n", "data.csv", options).rows(), 0u);
  const auto source = open_table_bytes("id,x\n\n", "data.csv", options);
  const std::optional<Table> block = source->next();
  ASSERT_TRUE(block);
  EXPECT_EQ(block->rows(), 0u);
  EXPECT_EQ(block->names(), (std::vector<std::string>{"id", "x"}));
  EXPECT_FALSE(source->next());
  expect_parts(message_of([&] { Table::read_bytes("", "data.csv", options); }), {"the file is empty"});
}

}  // namespace
}  // namespace mirrorball::table_test
