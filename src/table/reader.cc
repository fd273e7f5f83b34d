#include "table/reader.h"

#include <utility>
#include <vector>

namespace mirrorball::table {
namespace {

/// Enough for the threads to share, and little memory.
constexpr std::size_t kBlockPieces = 4;

}  // namespace

Content read_content(std::unique_ptr<ByteSource> bytes, const ReadOptions& options, std::size_t piece_bytes) {
  TextSource source(std::move(bytes));
  std::vector<bool> texts;
  for (;;) {
    PieceReader pieces(source, options, piece_bytes, texts);
    Builder builder = pieces.builder(source.can_rewind());
    pieces.read(builder, PieceReader::kAll);
    if (!builder.has_late_text()) {
      builder.check_rows();
      return builder.take();
    }
    texts.resize(builder.late_text().size());
    for (std::size_t i = 0; i < texts.size(); ++i) texts[i] = texts[i] || builder.late_text()[i];
    source.rewind();
  }
}

BlockReader::BlockReader(std::unique_ptr<ByteSource> bytes, const ReadOptions& options,
                         std::size_t piece_bytes)
    : source_(std::move(bytes)), pieces_(source_, options, piece_bytes), builder_(pieces_.builder(false)) {}

std::optional<Content> BlockReader::next() {
  while (more_ && !builder_.can_cut()) more_ = pieces_.read(builder_, kBlockPieces);
  builder_.check_rows();
  return builder_.rows() > 0 ? std::optional(builder_.take()) : std::nullopt;
}

}  // namespace mirrorball::table
