#include <gtest/gtest.h>

#include <string>

#include "table/read_helpers.h"

namespace mirrorball::table_test {
namespace {

const std::string kHead =
    "% a comment\n\n@RELATION 'iris data'\n@attribute width REAL\n  @Attribute 'petal length' numeric\n"
    "@attribute \"n\\\"o\" integer\n@attribute kind {a, 'b c'}\n@attribute note string\n"
    "@attribute day date \"yyyy-MM-dd\"\n@data\n";

TEST(Arff, ReadsDenseRows) {
  const std::string text = kHead +
                           "1.5, 2,3,a,'it\\'s, ok',2020-01-01\n% comment\n\n"
                           "?,?,?,?,?,?\n-1,+2,4,'b c',\"x'y\",\"2020-01-02\"\n";
  for (const std::size_t piece : {16, 40, 1 << 20})
    EXPECT_EQ(
        dump(read_text(text, {}, piece, "iris.txt")),
        "width: 1.5 _ -1\npetal length: 2 _ 2\nn\"o: 3 _ 4\nkind: 'a' _ 'b c'\nnote: 'it's, ok' _ 'x'y'\n"
        "day: '2020-01-01' _ '2020-01-02'\n");
}

TEST(Arff, DeclaredTypesHoldWithoutLookingAtTheData) {
  const table::Content content =
      read_text("@relation r\n@attribute a {1,2}\n@attribute b real\n@data\n2,1\n1,?\n");
  EXPECT_EQ(dump(content), "a: '2' '1'\nb: 1 _\n");
  ReadOptions options;
  options.numbers = {"a"};
  options.categories = {"b"};
  EXPECT_EQ(dump(read_text("@relation r\n@attribute a {1,2}\n@attribute b real\n@data\n2,1\n", options)),
            "a: 2\nb: '1'\n");
}

TEST(Arff, CsvThatStartsWithPercentStaysCsv) {
  EXPECT_EQ(dump(read_text("%fat,%water\n1,2\n")), "%fat: 1\n%water: 2\n");
}

void expect_arff_error(const std::string& text, std::initializer_list<std::string_view> parts) {
  expect_read_error(text, parts, {}, table::kPieceBytes, "bad.arff");
}

TEST(Arff, Errors) {
  expect_arff_error("a,b\n1,2\n", {"bad.arff:1: 'a,b'", "expected @relation, @attribute or @data"});
  expect_arff_error("@relation r\n@attribute a numeric\n", {"bad.arff: an ARFF file without a @data line"});
  expect_arff_error("@relation r\n@data\n1\n", {"bad.arff:2: @data without any @attribute"});
  expect_arff_error("@relation r\n@attribute a relational\n@data\n1\n",
                    {"bad.arff:2: attribute type 'relational'"});
  expect_arff_error("@relation r\n@attribute 'a numeric\n@data\n1\n",
                    {"bad.arff:2: the quoted name is not closed"});
  expect_arff_error("@relation r\n@attribute a real\n@attribute a real\n@data\n1,1\n",
                    {"duplicate column name 'a'"});
  expect_arff_error("@relation r\n@attribute a real\n@data\n1\nfour\n",
                    {"bad.arff:5: column 'a': 'four' is not a number"});
  expect_arff_error("@relation r\n@attribute a real\n@data\n{0 1}\n", {"bad.arff:4: a sparse row", "dense"});
  expect_arff_error("@relation r\n@attribute a real\n@attribute b real\n@data\n1,2\n%\n1\n",
                    {"bad.arff:7: 1 cell, but the header has 2 columns"});
  expect_arff_error("@relation r\n@attribute a string\n@data\n'x\ny'\n",
                    {"bad.arff:4: a quote opens here and is never closed", "backslash"});
  expect_arff_error("@relation r\n@attribute a real\n@data\n", {"no rows"});
}

}  // namespace
}  // namespace mirrorball::table_test
