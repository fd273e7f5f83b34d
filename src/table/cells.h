#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "table/eight_bytes.h"

namespace mirrorball::table {

/// How lines divide into cells. Quotes are " doubled inside and may span lines; in ARFF they are ' or " with
/// backslashes inside, and end with the line.
struct Dialect {
  char separator = ',';
  bool arff = false;
};

enum class CellFault { kNone, kOpenQuote, kTextAfterQuote };

/// Made to be filled again and again.
struct Cell {
  std::string_view text;        ///< without quotes; trimmed when it had none
  const char* after = nullptr;  ///< the separator or line end behind it
  bool quoted = false;
  CellFault fault = CellFault::kNone;
  std::string unescaped;  ///< what `text` shows when the cell has quotes inside
};

inline bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// Over spaces, but not over a separator that is a tab.
inline const char* skip_spaces(const char* at, char separator) {
  while (is_space(*at) && *at != separator) ++at;
  return at;
}

/// The separator or line end behind a cell without quotes.
inline const char* cell_end(const char* at, const char* end, char separator) {
  for (; end - at >= 8; at += 8) {
    const EightBytes bytes(at);
    if (const std::uint64_t ends = bytes.equal(separator) | bytes.equal('\n'))
      return at + EightBytes::first(ends);
  }
  while (*at != separator && *at != '\n') ++at;
  return at;
}

/// The cell whose quote is at `open`.
void read_quoted_cell(const char* open, const char* end, const Dialect& dialect, Cell& cell);

/// The cell at `at`. The text up to `end` must end in '\n'.
inline void read_cell(const char* at, const char* end, const Dialect& dialect, Cell& cell) {
  const char* first = skip_spaces(at, dialect.separator);
  if (*first == '"' || (dialect.arff && *first == '\'')) return read_quoted_cell(first, end, dialect, cell);
  cell.after = cell_end(first, end, dialect.separator);
  const char* last = cell.after;
  while (last > first && is_space(last[-1])) --last;
  cell.text = {first, static_cast<std::size_t>(last - first)};
  cell.quoted = false;
  cell.fault = CellFault::kNone;
}

enum class CellKind { kMissing, kNumber, kDate, kInfinite, kText };

/// What a cell's text is; `number` is set for a number, which true (1) and false (0) are too, and for a date
/// (seconds since 1970). Infinite is also what a float cannot hold.
CellKind classify(std::string_view text, double& number);

/// Whether a text stands for a missing value, as spreadsheets, pandas, R and databases write it.
bool is_missing_word(std::string_view text);
inline bool is_missing(std::string_view text) {
  if (text.empty()) return true;
  const char first = text.front();
  return (first == 'N' || first == 'n' || first == '?' || first == '#' || first == '<') &&
         is_missing_word(text);
}

std::string_view trimmed(std::string_view text);

/// The first `byte` in [from, end), or `end`.
inline const char* find_byte(const char* from, const char* end, char byte) {
  const void* found = std::memchr(from, byte, static_cast<std::size_t>(end - from));
  return found ? static_cast<const char*>(found) : end;
}

/// Whether `text` is the word `lower` in any case.
bool same_word(std::string_view text, std::string_view lower);

/// The part of `text`, which starts with a record, that whole records take up. A line end inside quotes is
/// none.
std::size_t whole_records(std::string_view text, const Dialect& dialect);

/// A cell for an error message: one line, not too long.
std::string shown(std::string_view cell);

}  // namespace mirrorball::table
