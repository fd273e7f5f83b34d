#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "table/read_helpers.h"

namespace mirrorball::table_test {
namespace {

using Row = std::vector<std::string>;

bool is_missing(const std::string& cell) {
  static const std::set<std::string> kWords = {"",     "NA",   "NaN", "nan",  "N/A", "n/a",  "null",
                                               "NULL", "None", "?",   "#N/A", "#NA", "<NA>", "NaT"};
  const std::size_t first = cell.find_first_not_of(" \t\r");
  return first == cell.npos ||
         kWords.count(cell.substr(first, cell.find_last_not_of(" \t\r") - first + 1)) > 0;
}

/// The slow twin of the reader's splitting: one character after the other, straight from RFC 4180 and the
/// rules for spaces.
std::vector<Row> naive_rows(const std::string& text, char separator) {
  std::vector<Row> rows(1);
  std::string cell;
  bool quoted = false;
  const auto blank = [](char c) { return c == ' ' || c == '\r'; };
  const auto end_cell = [&] {
    if (!quoted) {
      while (!cell.empty() && blank(cell.back())) cell.pop_back();
      while (!cell.empty() && blank(cell.front())) cell.erase(0, 1);
    }
    rows.back().push_back(cell);
    cell.clear();
    quoted = false;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool at_start = cell.find_first_not_of(' ') == cell.npos && !quoted;
    if (text[i] == '"' && at_start) {
      quoted = true;
      cell.clear();
      for (++i; text[i] != '"' || (i + 1 < text.size() && text[i + 1] == '"'); ++i) {
        if (text[i] == '"') ++i;
        cell += text[i];
      }
    } else if (text[i] == separator) {
      end_cell();
    } else if (text[i] == '\n') {
      end_cell();
      rows.emplace_back();
    } else if (!quoted) {
      cell += text[i];
    }
  }
  if (text.back() == '\n')
    rows.pop_back();
  else
    end_cell();
  return rows;
}

std::optional<double> naive_number(const std::string& cell) {
  char* end = nullptr;
  const double number = std::strtod(cell.c_str(), &end);
  while (*end == ' ') ++end;
  if (*end != '\0' || end == cell.c_str()) return std::nullopt;
  return number;
}

class Generator {
 public:
  explicit Generator(unsigned seed) : bits_(seed) {}

  std::string table(char separator) {
    const int columns = 1 + below(6), rows = 1 + below(60);
    std::vector<int> kinds(static_cast<std::size_t>(columns));
    for (int& kind : kinds) kind = below(4);
    std::string text;
    for (int c = 0; c < columns; ++c)
      text += (c ? std::string(1, separator) : "") + quoted_maybe("c" + std::to_string(c));
    text += line_end();
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < columns; ++c) {
        if (c > 0) text += separator;
        std::string one = cell(kinds[static_cast<std::size_t>(c)], r, separator);
        if (columns == 1 && one.find_first_not_of(' ') == one.npos) one = "\"\"";
        text += one;
      }
      if (r + 1 < rows || below(2)) text += line_end();
    }
    return text;
  }

 private:
  int below(int n) { return static_cast<int>(bits_() % static_cast<unsigned>(n)); }
  std::string line_end() { return below(3) ? "\n" : "\r\n"; }
  std::string spaces() { return below(4) ? "" : std::string(static_cast<std::size_t>(below(3)), ' '); }

  std::string cell(int kind, int row, char separator) {
    static const char* kGaps[] = {"", "NA", "?", "None", "nan"};
    if (below(8) == 0) return quoted_maybe(kGaps[below(5)]);
    if (kind == 0) return quoted_maybe(fmt::format("{}", below(2000) - 1000));
    if (kind == 1)
      return quoted_maybe(
          fmt::format("{:.{}g}", std::ldexp(below(1 << 20) + 1, below(20) - 30), 1 + below(12)));
    if (kind == 2 && row < 30) return quoted_maybe(std::to_string(below(10)));  // numbers, then text
    return text_cell(separator);
  }

  std::string text_cell(char separator) {
    static const char* kParts[] = {"a", "B", "é", "7", "x y", "\"", "\"\"", ",", ";", "\n", "\r\n", " ", "'"};
    std::string content;
    for (int n = below(5); n >= 0; --n) content += kParts[below(13)];
    const bool plain =
        content.find_first_of("\n\r") == content.npos && content.find(separator) == content.npos &&
        content.find_first_not_of(' ') != content.npos && content[content.find_first_not_of(' ')] != '"';
    return plain && below(2) ? spaces() + content + spaces() : quoted(content);
  }

  std::string quoted(const std::string& content) {
    std::string text = spaces() + '"';
    for (const char c : content) text += c == '"' ? "\"\"" : std::string(1, c);
    return text + '"' + spaces();
  }

  std::string quoted_maybe(const std::string& content) {
    return below(4) ? spaces() + content + spaces() : quoted(content);
  }

  std::mt19937 bits_;
};

void expect_equal(const table::Column& column, const std::vector<Row>& rows, std::size_t place) {
  bool numbers = true;
  for (std::size_t r = 1; r < rows.size(); ++r)
    numbers = numbers && (is_missing(rows[r][place]) || naive_number(rows[r][place]));
  ASSERT_EQ(numbers, std::holds_alternative<table::NumberColumn>(column.values));
  for (std::size_t r = 1; r < rows.size(); ++r) {
    const std::string& cell = rows[r][place];
    if (numbers) {
      const double value = std::get<table::NumberColumn>(column.values)[r - 1];
      if (is_missing(cell))
        ASSERT_TRUE(std::isnan(value));
      else
        ASSERT_NEAR(value, *naive_number(cell), 2.001 * 0x1p-24 * std::abs(*naive_number(cell)));
    } else {
      const auto& categories = std::get<table::CategoryColumn>(column.values);
      const std::int32_t code = categories[r - 1];
      ASSERT_EQ(code < 0, is_missing(cell)) << cell;
      if (code < 0) continue;
      ASSERT_EQ(categories.categories()[static_cast<std::size_t>(code)], cell);
    }
  }
}

TEST(CsvProperty, AgreesWithASlowParserForAnyQuotesPiecesAndThreads) {
  for (unsigned seed = 0; seed < 150; ++seed) {
    const char separator = ",;\t|"[seed % 4];
    const bool given = seed % 3 == 0;
    const std::string text = Generator(seed).table(separator);
    const std::vector<Row> rows = naive_rows(text, separator);
    const bool one_column = rows[0].size() == 1;
    const TempFile file("data.csv", text);
    if (one_column && separator != ',' && !given) continue;  // its header shows no separator
    for (const std::size_t piece : {9, 16, 33, 100, 1 << 20}) {
      for (const unsigned threads : {1u, 2u, 7u}) {
        ReadOptions options;
        options.threads = threads;
        options.separator = given ? separator : '\0';
        options.keep = rows[0];
        const table::Content content = table::read_content(table::open_bytes(file.path()), options, piece);
        ASSERT_EQ(content.columns.size(), rows[0].size()) << text;
        ASSERT_EQ(content.rows, rows.size() - 1) << "seed " << seed << " piece " << piece << "\n" << text;
        for (std::size_t c = 0; c < content.columns.size(); ++c) {
          ASSERT_EQ(content.columns[c].name, rows[0][c]);
          expect_equal(content.columns[c], rows, c);
          for (std::size_t r = 1; r < rows.size(); ++r) ASSERT_EQ(content.kept[c][r - 1], rows[r][c]);
          if (::testing::Test::HasFatalFailure())
            FAIL() << "seed " << seed << " piece " << piece << "\n" << text;
        }
      }
    }
  }
}

TEST(CsvProperty, OneColumnAloneIsTheSameAsAmongOthers) {
  for (unsigned seed = 0; seed < 150; ++seed) {
    const std::string text = Generator(seed).table(',');
    const std::vector<Row> rows = naive_rows(text, ',');
    const std::size_t place = seed % rows[0].size();
    ReadOptions options;
    options.categories = {rows[0][place]};
    options.only_named = true;
    const table::Content content = read_text(text, options, seed % 2 ? 50 : table::kPieceBytes);
    ASSERT_EQ(content.columns.size(), 1u);
    ASSERT_EQ(content.rows, rows.size() - 1);
    const auto& column = std::get<table::CategoryColumn>(content.columns[0].values);
    for (std::size_t r = 1; r < rows.size(); ++r) {
      const std::int32_t code = column[r - 1];
      const std::string found = code < 0 ? "" : column.categories()[static_cast<std::size_t>(code)];
      ASSERT_EQ(found, is_missing(rows[r][place]) ? "" : rows[r][place]) << text;
    }
  }
}

TEST(CsvProperty, CodesAndBitsDoNotDependOnThreads) {
  std::mt19937 bits(17);
  std::string text = "id,time,word,x\n";
  for (int i = 0; i < 20000; ++i)
    text += fmt::format("u{},{},\"w{}\",{}\n", bits() % 5000, 1700000000 + bits() % 1000000, bits() % 30,
                        static_cast<double>(bits()) / 7);
  const TempFile file("data.csv", text);
  const auto read = [&](unsigned threads) {
    ReadOptions options;
    options.threads = threads;
    return table::read_content(table::open_bytes(file.path()), options, 10000);
  };
  const table::Content one = read(1);
  for (const unsigned threads : {2u, 7u}) {
    const table::Content many = read(threads);
    EXPECT_EQ(dump(many), dump(one));
    for (const std::size_t c : {0, 2})
      EXPECT_EQ(std::get<table::CategoryColumn>(many.columns[c].values).categories(),
                std::get<table::CategoryColumn>(one.columns[c].values).categories());
  }
}

TEST(CsvProperty, WrittenTablesReadBackTheSame) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const TempFile file("data.csv", Generator(seed + 1000).table(','));
    const Table table = Table::read(file.path());
    std::ostringstream out;
    table.write_csv(out);
    const TempFile copy("copy.csv", out.str());
    const Table again = Table::read(copy.path());
    std::ostringstream second;
    again.write_csv(second);
    ASSERT_EQ(out.str(), second.str());
    ASSERT_EQ(table.rows(), again.rows());
    for (std::size_t c = 0; c < table.columns(); ++c) ASSERT_EQ(table.type(c), again.type(c));
  }
}

}  // namespace
}  // namespace mirrorball::table_test
