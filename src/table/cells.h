#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mirrorball {

/// How lines divide into cells.
struct Dialect {
  char separator = ',';
  bool arff =
      false;  ///< quotes are ' or " with backslashes and end with the line; else " doubled, across lines
};

enum class CellFault { kNone, kOpenQuote, kTextAfterQuote };

struct Cell {
  std::string_view text;  ///< without quotes; trimmed when it had none
  const char* after;      ///< the separator or line end behind it
  bool quoted = false;
  CellFault fault = CellFault::kNone;
};

/// The cell at `at`. The text up to `end` must end in '\n'. `scratch` keeps the text of a cell with quotes
/// inside.
Cell read_cell(const char* at, const char* end, const Dialect& dialect, std::string& scratch);

enum class CellKind { kGap, kNumber, kInfinite, kText };

/// What a cell's text is; `number` is set for a number. Infinite is also what a float cannot hold.
CellKind classify(std::string_view text, double& number);

/// Whether a text stands for a missing value: empty, NA, NaN, nan, N/A, null, NULL, None or ?.
bool is_gap(std::string_view text);

std::string_view trimmed(std::string_view text);

/// Whether `text` is the word `lower` in any case.
bool same_word(std::string_view text, std::string_view lower);

/// The part of `text`, which starts with a record, that whole records take up. A line end inside quotes is
/// none.
std::size_t whole_records(std::string_view text, const Dialect& dialect);

/// A cell for an error message: one line, not too long.
std::string shown(std::string_view cell);

}  // namespace mirrorball
