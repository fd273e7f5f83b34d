#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "table/column.h"
#include "table/layout.h"
#include "table/piece_parser.h"

namespace mirrorball::table {

/// What a table holds, as it comes out of the reader.
struct Content {
  std::vector<Column> columns;
  std::size_t rows = 0;
  std::size_t first_row = 0;  ///< how many rows of the source come before
  std::string source;
  std::vector<std::string> header;  ///< all names in the file, also of columns left out
};

/// Joins parsed pieces, given in order, to a table or to blocks of it, and turns what is wrong in them into
/// errors.
class Builder {
 public:
  /// `can_restart`: text in a column guessed to be numbers is not an error but makes `late_text` true there.
  /// Names and plans must outlive the builder.
  Builder(const std::vector<std::string>& names, std::span<const ColumnPlan> plans, std::string file,
          std::size_t first_line, bool can_restart);

  void append(const ParsedPiece& piece);

  /// Columns that turned out to be text after numbers were taken from them; with any, the table is void.
  const std::vector<bool>& late_text() const { return late_text_; }
  bool has_late_text() const { return has_late_text_; }

  std::size_t rows() const { return content_.rows; }  ///< that were not taken yet
  void check_rows() const;                            ///< throws where there never was one

  /// Whether there are rows, and a block that ends with them holds what the whole table holds there.
  bool can_cut() const;
  /// The rows that were not taken yet.
  Content take();

 private:
  void check(const ParsedPiece& piece);
  void take_blank_lines();

  const std::vector<std::string>& names_;
  std::span<const ColumnPlan> plans_;
  std::size_t line_;  // of the next piece's first line
  bool can_restart_;
  Content content_;
  std::vector<std::size_t> places_;  // of the columns in the file
  std::vector<std::size_t> dates_;   // how many cells of each column, in rows not taken yet, were dates
  std::size_t blank_lines_ = 0;      // before the next piece
  std::vector<bool> late_text_;
  bool has_late_text_ = false;
};

}  // namespace mirrorball::table
