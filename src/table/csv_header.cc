#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/utf8.h"
#include "table/file_kind.h"
#include "table/layout.h"
#include "table/text_reader.h"

namespace mirrorball::table {
namespace {

/// The last is looked for only where the others do not occur: names such as "P(a|b)" are more frequent than
/// tables whose names hold commas and are separated by it.
constexpr std::string_view kSeparators = ",;\t|";
constexpr std::size_t kCommon = kSeparators.size() - 1;
constexpr std::string_view kPandasUnnamed =
    "Unnamed: 0";  // so it calls a column that it wrote without a name
constexpr std::size_t kLongestQuoted = std::size_t{1} << 20;

/// Looks through a header before its separator is known: a quote may open after any that it may be.
class HeaderScan {
 public:
  /// `given` is the only one where it is not 0.
  explicit HeaderScan(char given)
      : separators_(given == 0 ? std::string(kSeparators) : std::string(1, given)) {}

  void read(std::string_view line) {
    if (!open_quote_) cell_begins_ = true;
    for (const char c : line) read(c);
  }

  bool open_quote() const { return open_quote_; }

  /// The one given; or the one that the file's name stands for, if the header has it; or the most frequent.
  char separator(std::optional<char> named) const {
    if (separators_.size() == 1) return separators_[0];
    if (named && counts_[separators_.find(*named)] > 0) return *named;
    const auto most = std::max_element(counts_.begin(), counts_.begin() + kCommon);
    if (*most == 0 && counts_[kCommon] > 0) return separators_[kCommon];
    return separators_[static_cast<std::size_t>(most - counts_.begin())];
  }

 private:
  void read(char c) {
    if (c == '"' && (cell_begins_ || open_quote_)) {
      open_quote_ = !open_quote_;
    } else if (!open_quote_) {
      const std::size_t found = separators_.find(c);
      if (found != separators_.npos) ++counts_[found];
      cell_begins_ = found != separators_.npos || (cell_begins_ && c == ' ');
    }
  }

  std::string separators_;
  std::array<std::size_t, kSeparators.size()> counts_{};
  bool cell_begins_ = true;
  bool open_quote_ = false;
};

struct Header {
  std::string text;  ///< several lines where a quoted name holds line ends
  char separator = ',';
};

/// Blank lines before the header are passed.
Header take_header(TextReader& reader, const std::string& file, char separator) {
  Header header;
  HeaderScan scan(separator);
  std::size_t opened = 0;
  while (const auto line = reader.line()) {
    if (header.text.empty() && trimmed(*line).empty()) continue;
    if (!scan.open_quote()) opened = reader.lines_taken();
    scan.read(*line);
    header.text.append(*line) += '\n';
    header.separator = scan.separator(separator_named(file));
    if (!scan.open_quote()) return header;
    if (header.text.size() > kLongestQuoted) break;
  }
  if (opened == 0)
    bad_input("{}: the file is empty; expected a header line with the names of the columns", file);
  bad_input("{}:{}: a quote in the header is never closed", file, opened);
}

void check_separator(char separator) {
  static constexpr std::string_view kPartsOfCells = "\"'.+-_";
  const bool punctuation = separator > ' ' && separator < 0x7F && !std::isalnum(separator);
  if (separator == '\t' || (punctuation && kPartsOfCells.find(separator) == kPartsOfCells.npos)) return;
  bad_input("a table cannot be separated by '{}': give a tab, or a sign such as , ; | or :",
            shown({&separator, 1}));
}

}  // namespace

Layout read_csv_header(TextReader& reader, const std::string& file, char separator) {
  if (separator != 0) check_separator(separator);
  const Header header = take_header(reader, file, separator);
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
