#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "table/parts.h"
#include "table/piece_reader.h"

namespace mirrorball::table {

/// One way through a table of several files, as PieceReader goes through one. The first file tells names and
/// types; the others must have the same names in the same order.
class PartReader {
 public:
  /// `parts` stands at its first file.
  PartReader(Parts& parts, const ReadOptions& options, std::size_t piece_bytes,
             const std::vector<bool>& texts = {});

  Builder builder(bool can_restart) const;

  /// Parses up to `most` pieces and adds them in order; false when none is left after them.
  bool read(Builder& builder, std::size_t most);

 private:
  Parts& parts_;
  ReadOptions options_;
  std::size_t piece_bytes_;
  PieceReader first_;
  std::optional<PieceReader> later_;  // of the file that is open, after the first
};

}  // namespace mirrorball::table
