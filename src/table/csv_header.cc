#include <algorithm>
#include <array>
#include <string_view>

#include "base/error.h"
#include "base/utf8.h"
#include "table/layout.h"
#include "table/text_reader.h"

namespace mirrorball::table {
namespace {

constexpr std::array<char, 3> kSeparators = {',', ';', '\t'};
constexpr std::string_view kPandasUnnamed =
    "Unnamed: 0";  // so it calls a column that it wrote without a name
constexpr std::size_t kLongestQuoted = std::size_t{1} << 20;

/// Looks through a header before its separator is known: a quote may open after any of the three.
class HeaderScan {
 public:
  void read(std::string_view line) {
    if (!open_quote_) cell_begins_ = true;
    for (const char c : line) read(c);
  }

  bool open_quote() const { return open_quote_; }

  char separator() const {
    return kSeparators[static_cast<std::size_t>(std::max_element(counts_.begin(), counts_.end()) -
                                                counts_.begin())];
  }

 private:
  void read(char c) {
    if (c == '"' && (cell_begins_ || open_quote_)) {
      open_quote_ = !open_quote_;
    } else if (!open_quote_) {
      const auto found = std::find(kSeparators.begin(), kSeparators.end(), c);
      if (found != kSeparators.end()) ++counts_[static_cast<std::size_t>(found - kSeparators.begin())];
      cell_begins_ = found != kSeparators.end() || (cell_begins_ && c == ' ');
    }
  }

  std::array<std::size_t, kSeparators.size()> counts_{};
  bool cell_begins_ = true;
  bool open_quote_ = false;
};

struct Header {
  std::string text;  ///< several lines where a quoted name holds line ends
  char separator = ',';
};

/// Blank lines before the header are passed.
Header take_header(TextReader& reader, const std::string& file) {
  Header header;
  HeaderScan scan;
  std::size_t opened = 0;
  while (const auto line = reader.line()) {
    if (header.text.empty() && trimmed(*line).empty()) continue;
    if (!scan.open_quote()) opened = reader.lines_taken();
    scan.read(*line);
    header.text.append(*line) += '\n';
    header.separator = scan.separator();
    if (!scan.open_quote()) return header;
    if (header.text.size() > kLongestQuoted) break;
  }
  if (opened == 0)
    bad_input("{}: the file is empty; expected a header line with the names of the columns", file);
  bad_input("{}:{}: a quote opens in the header and is never closed", file, opened);
}

}  // namespace

Layout read_csv_header(TextReader& reader, const std::string& file) {
  const Header header = take_header(reader, file);
  Layout layout;
  layout.dialect.separator = header.separator;
  const char* end = header.text.data() + header.text.size();
  Cell cell;
  for (const char* at = header.text.data(); at < end;) {
    read_cell(at, end, layout.dialect, cell);
    if (cell.fault != CellFault::kNone)
      bad_input("{}:{}: a stray quote in the name of column {}; a quote inside a quoted name must be doubled",
                file, reader.lines_taken(), layout.names.size() + 1);
    layout.names.push_back(as_utf8(trimmed(cell.text)));
    at = cell.after + 1;
  }
  std::string& first = layout.names.front();
  layout.first_unnamed = first.empty() || first == kPandasUnnamed;
  if (first.empty()) first = "column1";
  layout.types.resize(layout.names.size());
  return layout;
}

}  // namespace mirrorball::table
