#include <gtest/gtest.h>

#include <string>

#include "table/read_helpers.h"

namespace mirrorball::table_test {
namespace {

TEST(CsvRead, NumbersAndTextAreTold) {
  EXPECT_EQ(dump(read_text("a,b,c\n1,x,0.5\n-2e3,y,.25\n")), "a: 1 -2000\nb: 'x' 'y'\nc: 0.5 0.25\n");
}

TEST(CsvRead, SeparatorIsFoundFromTheHeader) {
  EXPECT_EQ(dump(read_text("a;b\n1;2\n")), "a: 1\nb: 2\n");
  EXPECT_EQ(dump(read_text("a\tb\n1\t2\n")), "a: 1\nb: 2\n");
  EXPECT_EQ(dump(read_text("a\tb\tc\n\t2\t\n")), "a: _\nb: 2\nc: _\n");
  EXPECT_EQ(dump(read_text("\"a;b;c\",d\n1,2\n")), "a;b;c: 1\nd: 2\n");
  EXPECT_EQ(dump(read_text("a\n1\n")), "a: 1\n");
  EXPECT_EQ(dump(read_text("a|b\n1|2\n")), "a: 1\nb: 2\n");
  EXPECT_EQ(dump(read_text("p(a|b|c),d\n1,2\n")), "p(a|b|c): 1\nd: 2\n");
}

TEST(CsvRead, SeparatorIsFoundFromTheName) {
  const auto read = [](const char* name, const std::string& text) {
    return dump(read_text(text, {}, table::kPieceBytes, name));
  };
  EXPECT_EQ(read("data.tsv", "a, b, c\td\n1\t2\n"), "a, b, c: 1\nd: 2\n");
  EXPECT_EQ(read("data.psv", "a, b|c\n1|2\n"), "a, b: 1\nc: 2\n");
  EXPECT_EQ(read("data.tsv", "a,b\n1,2\n"), "a: 1\nb: 2\n")
      << "a header without tabs is not separated by them";
}

TEST(CsvRead, SeparatorIsGiven) {
  ReadOptions options;
  for (const char separator : std::string(",;\t|:~")) {
    options.separator = separator;
    const std::string text = fmt::format("a{0}\"b,;|:~{0}c\"\n1{0}x\n2{0}\"y{0}\"\n", separator);
    EXPECT_EQ(dump(read_text(text, options, table::kPieceBytes, "data.tsv")),
              fmt::format("a: 1 2\nb,;|:~{0}c: 'x' 'y{0}'\n", separator));
  }
  options.separator = ';';
  EXPECT_EQ(dump(read_text("a,b\n\"1\"\n", options)), "a,b: 1\n");
  for (const char separator : std::string("a1\"'.-+_ \n\r\x01\xE9")) {
    options.separator = separator;
    expect_read_error("a,b\n1,2\n", {"a table cannot be separated by '", "give a tab"}, options);
  }
}

TEST(CsvRead, DecimalCommaIsText) { EXPECT_EQ(dump(read_text("a;b\n1,5;2\n")), "a: '1,5'\nb: 2\n"); }

TEST(CsvRead, LineEndsMarkAndMissingLastLineEnd) {
  EXPECT_EQ(dump(read_text("a,b\r\n1,x\r\n2,y\r\n")), "a: 1 2\nb: 'x' 'y'\n");
  EXPECT_EQ(dump(read_text("\xEF\xBB\xBF"
                           "a,b\n1,2")),
            "a: 1\nb: 2\n");
  EXPECT_EQ(dump(read_text("a,b\n1,x\r")), "a: 1\nb: 'x'\n");
}

TEST(CsvRead, NamesAreTrimmedAndUnquoted) {
  EXPECT_EQ(dump(read_text(" a , \"b, or \"\"c\"\"\" ,\"d\ne\"\n1,2,3\n")),
            "a: 1\nb, or \"c\": 2\nd\ne: 3\n");
}

TEST(CsvRead, FirstNameMayBeEmptyAsForAnIndex) {
  EXPECT_EQ(dump(read_text(",a\n0,5\n")), "column1: 0\na: 5\n");
  EXPECT_EQ(dump(read_text("\"\",\"a\"\n\"1\",5\n")), "column1: 1\na: 5\n");
}

TEST(CsvRead, AFirstColumnWithoutANameIsKnown) {
  const auto named = [](const std::string& header, const ReadOptions& options = {}) {
    return Table::read_bytes(header + "\n0,5\nx,6\n", "data.csv", options).has_name(0);
  };
  EXPECT_FALSE(named(",a"));
  EXPECT_FALSE(named("Unnamed: 0,a"));
  EXPECT_TRUE(named("column1,a"));
  EXPECT_TRUE(named("a,Unnamed: 1"));
  EXPECT_TRUE(named(",a", {{"column1"}, {}, {}}));
  EXPECT_TRUE(named("Unnamed: 0,a", {{"Unnamed: 0"}, {}, {}}));
  Table table = Table::read_bytes(",a\n0,5\n", "data.csv");
  EXPECT_FALSE(table.slice(0, 1).has_name(0));
  table.set_names(std::vector<std::string>{"id", "a"});
  EXPECT_TRUE(table.has_name(0));
}

TEST(CsvRead, EveryWordForAGap) {
  const std::string words =
      "\nNA\nNaN\nnan\nN/A\nn/a\n#N/A\n#NA\n<NA>\nNaT\nnull\nNULL\nNone\n?\n NA \n\"NA\"\n\"\"\n";
  std::string gaps;
  for (char c : words) gaps += c == '\n' ? " _" : "";
  gaps.resize(gaps.size() - 2);  // the last line end is that of the last gap
  EXPECT_EQ(dump(read_text("a\n1" + words + "2\n")), "a: 1" + gaps + " 2\n");
  EXPECT_EQ(dump(read_text("a\nx" + words + "y\n")), "a: 'x'" + gaps + " 'y'\n");
}

TEST(CsvRead, ColumnOfGapsIsNumbers) {
  const table::Content content = read_text("a,b\n,1\nNA,2\n");
  EXPECT_TRUE(std::holds_alternative<table::NumberColumn>(content.columns[0].values));
  EXPECT_EQ(dump(content), "a: _ _\nb: 1 2\n");
}

TEST(CsvRead, FormsOfNumbers) {
  EXPECT_EQ(dump(read_text("a\n+1\n 2 \n\"3\"\n\" 4 \"\n5.\n.5\n1E2\n-0.25\n+.5\n1e-400\n")),
            "a: 1 2 3 4 5 0.5 100 -0.25 0.5 0\n");
}

TEST(CsvRead, NearNumbersAreText) {
  for (const std::string cell :
       {"1_000", "0x10", "1 2", "+-1", "+", "-", "1e", "--1", "12%", "nan()", "1.2.3"}) {
    const table::Content content = read_text("a,b\n1," + cell + "\n");
    EXPECT_TRUE(std::holds_alternative<table::CategoryColumn>(content.columns[1].values)) << cell;
    EXPECT_EQ(dump(content), "a: 1\nb: '" + cell + "'\n");
  }
}

TEST(CsvRead, Quotes) {
  EXPECT_EQ(dump(read_text("a,b\n\"x,\"\"y\"\"\",1\n\"two\nlines\",2\n \"pad\" ,3\n")),
            "a: 'x,\"y\"' 'two\nlines' 'pad'\nb: 1 2 3\n");
  EXPECT_EQ(dump(read_text("a,b\n\" in \", out \n\"\"\"\",5\" pipe\n")),
            "a: ' in ' '\"'\nb: 'out' '5\" pipe'\n");
}

TEST(CsvRead, InfinityInATextColumnIsText) {
  EXPECT_EQ(dump(read_text("a\ninf\nsup\n")), "a: 'inf' 'sup'\n");
}

TEST(CsvRead, InfinityBeforeLateTextIsTextToo) {
  for (const std::string word : {"inf", "12e4567"}) {
    std::string text = "a,b\n" + word + ",1\n";
    for (int i = 0; i < 100; ++i) text += fmt::format("{},2\n", i);
    for (const std::size_t piece : {64, 1 << 20}) {
      const table::Content content = read_text(text + "sup,3\n", {}, piece);
      EXPECT_EQ(std::get<table::CategoryColumn>(content.columns[0].values).categories().front(), word);
      EXPECT_TRUE(std::holds_alternative<table::NumberColumn>(content.columns[1].values));
      expect_read_error(text, {"data.csv:2: column 'a': '" + word + "' is infinite"}, {}, piece);
      expect_read_error(text + "7,8,9\n", {"data.csv:2: column 'a': '" + word + "' is infinite"}, {}, piece);
    }
  }
}

TEST(CsvRead, BlankLines) {
  EXPECT_EQ(dump(read_text("\n\na,b\n1,2\n\n\r\n  \n")), "a: 1\nb: 2\n");
  EXPECT_EQ(dump(read_text("a\n1\n\n\n2\n\n\n")), "a: 1 _ _ 2\n");
  for (const std::size_t piece : {1, 2, 3, 5, 8})
    EXPECT_EQ(dump(read_text("a\n1\n\n\n\n\n\n2\nx\n\n\n\n\n", {}, piece)), "a: '1' _ _ _ _ _ '2' 'x'\n");
}

TEST(CsvRead, DeclaredTypes) {
  ReadOptions options;
  options.categories = {"a", "not there"};
  options.numbers = {"b"};
  EXPECT_EQ(dump(read_text("a,b,c\n1,,3\n01,2,x\n", options)), "a: '1' '01'\nb: _ 2\nc: '3' 'x'\n");
  options.only_named = true;
  const table::Content content = read_text("a,b,\"c\"\n1,,\"3\n3\"\n01,2,x\n", options);
  EXPECT_EQ(dump(content), "a: '1' '01'\nb: _ 2\n");
}

TEST(CsvRead, NoneOfTheNamedColumnsIsThere) {
  ReadOptions options;
  options.only_named = true;
  options.numbers = {"z"};
  const table::Content content = read_text("a,b\n1,2\n3,4\n", options);
  EXPECT_EQ(content.columns.size(), 0u);
  EXPECT_EQ(content.rows, 2u);
}

TEST(CsvRead, LateTextReadsTheColumnAsTextFromTheStart) {
  std::string text = "a,b,c\n";
  for (int i = 0; i < 50; ++i) text += fmt::format("{:02},{},{}\n", i, i, i);
  text += "x,1,2\n";
  for (int i = 0; i < 50; ++i) text += "1,2,3\n";
  text += "1,2,late\n";
  for (const unsigned threads : {1u, 2u}) {
    ReadOptions options;
    options.threads = threads;
    const table::Content content = read_text(text, options, 64);
    const auto& a = std::get<table::CategoryColumn>(content.columns[0].values);
    EXPECT_EQ(a.categories().size(), 52u);
    EXPECT_EQ(a.categories()[1], "01");
    EXPECT_EQ(a.categories()[50], "x");
    EXPECT_TRUE(std::holds_alternative<table::NumberColumn>(content.columns[1].values));
    EXPECT_EQ(std::get<table::CategoryColumn>(content.columns[2].values).categories().back(), "late");
    EXPECT_EQ(content.rows, 102u);
  }
}

TEST(CsvRead, MoreRowsThanABlockHolds) {
  std::string text = "n,t\n";
  const std::size_t rows = 3 * table::Blocks<float>::kRows / 2;
  for (std::size_t i = 0; i < rows; ++i) text += fmt::format("{},t{}\n", i, i % 7);
  const TempFile file("big.csv", text);
  Table table = Table::read(file.path());
  ASSERT_EQ(table.rows(), rows);
  std::vector<double> numbers(rows - 10);
  std::vector<std::int32_t> codes(rows - 10);
  table.copy_numbers(0, 10, rows, numbers.data());
  table.copy_codes(1, 10, rows, codes.data());
  for (std::size_t i = 10; i < rows; ++i) {
    ASSERT_EQ(numbers[i - 10], static_cast<double>(i));
    ASSERT_EQ(codes[i - 10], static_cast<std::int32_t>(i % 7));
    ASSERT_EQ(table.number(i, 0), static_cast<double>(i));
  }
  table.discard_before(rows - 1);
  EXPECT_EQ(table.number(rows - 1, 0), static_cast<double>(rows - 1));
  EXPECT_EQ(table.categories(1).size(), 7u);
}

TEST(CsvRead, ManyColumns) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += fmt::format("{}c{}", i ? "," : "", i);
  text += '\n';
  for (int row = 0; row < 3; ++row)
    for (int i = 0; i < 5000; ++i) text += fmt::format("{}{}", i, i < 4999 ? ',' : '\n');
  const table::Content content = read_text(text);
  EXPECT_EQ(content.columns.size(), 5000u);
  EXPECT_EQ(std::get<table::NumberColumn>(content.columns[4999].values)[2], 4999);
}

/// Extra columns are ignored, whatever they are called or hold.
TEST(CsvRead, SkippedColumnsMayShareANameOrHaveNone) {
  ReadOptions options;
  options.numbers = {"x"};
  options.only_named = true;
  const table::Content content = read_text("x,e,e,\n1,a,b,c\n2,inf,,d\n", options);
  EXPECT_EQ(dump(content), "x: 1 2\n");
  EXPECT_EQ(content.header.size(), 4u);
  ReadOptions skipping;
  skipping.skip = {"e"};
  EXPECT_EQ(dump(read_text("x,e\n1,inf\n", skipping)), "x: 1\n");
}

}  // namespace
}  // namespace mirrorball::table_test
