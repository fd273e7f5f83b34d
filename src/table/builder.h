#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "table/column.h"
#include "table/kept_texts.h"
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
  std::vector<KeptTexts> kept;      ///< in the order of ReadOptions::keep
};

/// Joins parsed pieces, given in order, to a table or to blocks of it, and turns what is wrong in them into
/// errors.
class Builder {
 public:
  /// `can_restart`: text in a column guessed to be numbers is not an error but makes `late_text` true there.
  /// Names and plans must outlive the builder.
  /// `kept` are the places of the columns whose text is kept.
  Builder(const std::vector<std::string>& names, std::span<const ColumnPlan> plans,
          std::vector<std::size_t> kept, std::string file, std::size_t first_line, bool can_restart);

  /// The pieces that follow are of this file; so far, of the one given first.
  void begin_file(std::string file, std::size_t first_line);
  /// What the table is called, where that is not the name of its first file.
  void name_source(std::string name) { content_.source = std::move(name); }

  void append(const ParsedPiece& piece);

  /// Columns that turned out to be text after numbers were taken from them; with any, the table is void.
  const std::vector<bool>& late_text() const { return late_text_; }
  bool has_late_text() const { return has_late_text_; }

  std::size_t rows() const { return content_.rows; }  ///< that were not taken yet
  void check_rows() const;                            ///< throws where there never was one

  /// The rows that were not taken yet.
  Content take();

 private:
  void check(const ParsedPiece& piece);
  void check_infinite(std::size_t before_line) const;
  void take_blank_lines();

  const std::vector<std::string>& names_;
  std::span<const ColumnPlan> plans_;
  std::string file_;
  std::size_t line_;              // of the next piece's first line
  std::size_t lines_before_ = 0;  // in earlier files
  bool can_restart_;
  Content content_;
  std::vector<std::size_t> places_;  // of the columns in the file
  std::vector<std::size_t> kept_;    // of those whose text is kept
  std::vector<std::size_t> dates_;   // how many cells of each column, in rows not taken yet, were dates
  std::size_t blank_lines_ = 0;      // before the next piece
  /// The first of columns that may still turn out to be text, with its place; lines count over all files.
  std::vector<std::optional<Problem>> infinite_;
  std::vector<bool> late_text_;
  bool has_late_text_ = false;
};

}  // namespace mirrorball::table
