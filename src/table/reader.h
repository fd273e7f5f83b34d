#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "mirrorball/table.h"
#include "table/builder.h"
#include "table/byte_source.h"
#include "table/piece_reader.h"
#include "table/text_source.h"

namespace mirrorball::table {

/// Text is read and parsed in pieces of this size: small enough that a piece and its numbers stay in a core's
/// cache.
inline constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

/// Reads a CSV, CSV.gz or ARFF table. The result does not depend on the number of threads.
Content read_content(std::unique_ptr<ByteSource> bytes, const ReadOptions& options,
                     std::size_t piece_bytes = kPieceBytes);

/// Reads such a table in blocks of a few pieces. They hold the values that the whole has, with one exception:
/// see `NumberColumn::continued`. A column whose type is not declared is judged by the first piece.
class BlockReader {
 public:
  BlockReader(std::unique_ptr<ByteSource> bytes, const ReadOptions& options,
              std::size_t piece_bytes = kPieceBytes);

  /// The next rows, at least one; none after the last.
  std::optional<Content> next();

  const std::string& name() const { return source_.name(); }
  std::optional<double> share() const { return source_.share(); }

 private:
  TextSource source_;
  PieceReader pieces_;
  Builder builder_;
  bool more_ = true;
};

}  // namespace mirrorball::table
