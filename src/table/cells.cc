#include "table/cells.h"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "base/contains.h"
#include "table/instant.h"

namespace mirrorball::table {
namespace {

constexpr std::size_t kShown = 40;

/// The closing quote of a CSV cell, or `end`; `inner` says that there are doubled ones before it.
const char* closing_quote(const char* from, const char* end, bool& inner) {
  for (inner = false;; inner = true) {
    from = find_byte(from, end, '"');
    if (from == end || from + 1 == end || from[1] != '"') return from;
    from += 2;
  }
}

/// The same for ARFF, where a backslash protects the next character and a line end stops the search.
const char* closing_arff_quote(const char* from, const char* end, char quote, bool& inner) {
  inner = false;
  for (; from < end && *from != quote; ++from) {
    if (*from == '\n') return end;
    if (*from == '\\' && from[1] != '\n') inner = true, ++from;
  }
  return from;
}

/// Drops the first of each pair that stands for its second: "" in CSV, backslash and any character in ARFF.
void unescape(std::string_view text, char escape, std::string& out) {
  out.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == escape && i + 1 < text.size()) ++i;
    out += text[i];
  }
}

/// A quote opens a cell only where the cell begins; elsewhere it is text.
bool opens_cell(std::string_view text, std::size_t quote, char separator) {
  while (quote > 0 && is_space(text[quote - 1]) && text[quote - 1] != separator) --quote;
  return quote == 0 || text[quote - 1] == separator || text[quote - 1] == '\n';
}

/// True, false and dates are numbers, as they are in a frame.
CellKind classify_words(std::string_view text, double& number) {
  if (same_word(text, "true") || same_word(text, "false")) {
    number = same_word(text, "true");
    return CellKind::kNumber;
  }
  const std::optional<double> seconds = seconds_since_1970(text);
  if (!seconds) return CellKind::kText;
  number = *seconds;
  return CellKind::kDate;
}

}  // namespace

void read_quoted_cell(const char* open, const char* end, const Dialect& dialect, Cell& cell) {
  bool inner = false;
  const char* close =
      dialect.arff ? closing_arff_quote(open + 1, end, *open, inner) : closing_quote(open + 1, end, inner);
  cell.quoted = true;
  cell.after = end;
  cell.fault = CellFault::kOpenQuote;
  if (close == end) return;
  cell.text = {open + 1, static_cast<std::size_t>(close - open - 1)};
  if (inner) {
    unescape(cell.text, dialect.arff ? '\\' : '"', cell.unescaped);
    cell.text = cell.unescaped;
  }
  cell.after = skip_spaces(close + 1, dialect.separator);
  const bool clean = *cell.after == dialect.separator || *cell.after == '\n';
  cell.fault = clean ? CellFault::kNone : CellFault::kTextAfterQuote;
}

CellKind classify(std::string_view text, double& number) {
  text = trimmed(text);
  if (is_missing(text)) return CellKind::kMissing;
  const bool plus = text.front() == '+' && text.size() > 1 && text[1] != '-';
  const char* end = text.data() + text.size();
  const auto [after, fault] = fast_float::from_chars(text.data() + plus, end, number);
  if (after != end || fault == std::errc::invalid_argument || std::isnan(number))
    return classify_words(text, number);
  return std::abs(number) <= std::numeric_limits<float>::max() ? CellKind::kNumber : CellKind::kInfinite;
}

bool is_missing_word(std::string_view text) {
  static constexpr std::array<std::string_view, 13> kWords = {
      "NA", "NaN", "nan", "N/A", "n/a", "null", "NULL", "None", "?", "#N/A", "#NA", "<NA>", "NaT"};
  return contains(kWords, text);
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

bool same_word(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + ('a' - 'A') : a) == b; });
}

std::size_t whole_records(std::string_view text, const Dialect& dialect) {
  const char* end = text.data() + text.size();
  std::size_t whole = 0;
  for (std::size_t from = 0;;) {
    const std::size_t quote =
        dialect.arff ? text.size()
                     : static_cast<std::size_t>(find_byte(text.data() + from, end, '"') - text.data());
    const std::size_t line_end = text.substr(from, quote - from).rfind('\n');
    if (line_end != text.npos) whole = from + line_end + 1;
    if (quote == text.size()) return whole;
    from = quote + 1;
    if (!opens_cell(text, quote, dialect.separator)) continue;
    bool inner = false;
    const char* close = closing_quote(text.data() + from, end, inner);
    if (close == end) return whole;
    from = static_cast<std::size_t>(close - text.data()) + 1;
  }
}

std::string shown(std::string_view cell) {
  std::string text(cell.substr(0, kShown));
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < ' '; }, ' ');
  return cell.size() > kShown ? text + "..." : text;
}

}  // namespace mirrorball::table
