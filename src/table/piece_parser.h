#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "table/cells.h"
#include "table/dictionary.h"
#include "table/kept_texts.h"

namespace mirrorball::table {

enum class CellUse : std::uint8_t { kSkip, kNumber, kCategory };

/// What a column of a file becomes.
struct ColumnPlan {
  CellUse use = CellUse::kNumber;
  bool guessed = false;  ///< the type was not declared: numbers until text comes
  bool unnamed = false;  ///< a first column without a name, which was not declared either
  bool keep = false;     ///< the text of the cells is wanted too
  bool dates = false;    ///< numbers that are known to be dates
};

/// Something wrong on a line, counted from 0 at the start of the piece.
struct Problem {
  std::size_t line;
  std::string text;
};

/// The values of one column in one piece. Of what is wrong in it the first is kept: whether it is an error
/// depends on pieces before.
struct ParsedColumn {
  std::vector<double> numbers;      ///< at least as many as rows
  std::vector<std::int32_t> codes;  ///< into texts; at least as many as rows
  Dictionary texts;
  KeptTexts kept;                   ///< where the plan wants it
  std::size_t dates = 0;            ///< of the numbers
  std::optional<Problem> text;      ///< a cell of a number column that is text
  std::optional<Problem> infinite;  ///< and one beyond the range of numbers
};

struct ParsedPiece {
  std::vector<ParsedColumn> columns;
  std::size_t rows = 0;
  std::size_t lines = 0;
  std::size_t blank_lines = 0;    ///< at the end, where only the pieces after tell what they are
  std::optional<Problem> broken;  ///< a line that does not fit the columns; nothing is read after it
};

/// Parses a piece of text that ends in '\n' into columns. `out` may have been used before, which saves
/// allocations.
void parse_piece(std::string_view text, const Dialect& dialect, std::span<const ColumnPlan> plans,
                 ParsedPiece& out);

}  // namespace mirrorball::table
