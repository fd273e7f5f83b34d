#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mirrorball/table.h"
#include "table/builder.h"
#include "table/layout.h"
#include "table/piece_parser.h"
#include "table/text_reader.h"

namespace mirrorball::table {

class TextSource;

/// One way through the text of a table: its head, then its rows in pieces.
class PieceReader {
 public:
  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

  /// Reads the head, and the first piece to find out the types of the columns. `texts` are columns that an
  /// earlier way through found to be text.
  PieceReader(TextSource& source, const ReadOptions& options, std::size_t piece_bytes,
              const std::vector<bool>& texts = {});

  /// Another file of the same table: its names must be those of the first, whose types it takes.
  PieceReader(TextSource& source, const ReadOptions& options, std::size_t piece_bytes,
              const PieceReader& first);

  /// For the rows to come.
  Builder builder(bool can_restart) const;

  /// Parses up to `most` pieces side by side and adds them in order; false when none is left after them.
  bool read(Builder& builder, std::size_t most);

  std::size_t first_line() const { return first_line_; }  ///< of the rows

 private:
  struct Work {
    Piece piece;
    ParsedPiece parsed;
  };

  void find_kept(const std::vector<std::string>& names);
  void check_names() const;
  void check_same(const PieceReader& first) const;
  void guess_types();
  void parse(Work& work) const;

  std::string file_;
  unsigned threads_;
  TextReader reader_;
  Layout layout_;
  std::vector<ColumnPlan> plans_;
  std::vector<std::size_t> kept_;  // places of the columns whose text is kept
  std::size_t first_line_;
  std::optional<Work> first_;  // until it was added
};

}  // namespace mirrorball::table
