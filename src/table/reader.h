#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "mirrorball/table.h"
#include "table/builder.h"
#include "table/part_reader.h"
#include "table/parts.h"

namespace mirrorball::table {

/// Text is read and parsed in pieces of this size: small enough that a piece and its numbers stay in a core's
/// cache.
inline constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

/// Reads a table of CSV or ARFF, plain or packed, in one file or several. The result does not depend on the
/// number of threads.
Content read_content(Parts parts, const ReadOptions& options, std::size_t piece_bytes = kPieceBytes);

/// Reads such a table in blocks of a few pieces, which hold the values that the whole has. A column whose
/// type is not declared is judged by the first piece.
class BlockReader {
 public:
  BlockReader(Parts parts, const ReadOptions& options, std::size_t piece_bytes = kPieceBytes);

  /// The next rows, at least one; none after the last.
  std::optional<Content> next();

  const std::string& name() const { return parts_.name(); }
  std::optional<double> share() const { return parts_.share(); }

 private:
  Parts parts_;
  PartReader reader_;
  Builder builder_;
  bool allow_empty_;
  bool begun_ = false;
  bool more_ = true;
};

}  // namespace mirrorball::table
