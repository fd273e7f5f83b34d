#include "table/reader.h"

#include <utility>
#include <vector>

namespace mirrorball::table {
namespace {

/// Enough for the threads to share, and little memory.
constexpr std::size_t kBlockPieces = 4;
/// Read between two calls of somebody who waits: a fraction of a second.
constexpr std::size_t kProgressPieces = 16;

}  // namespace

Content read_content(Parts parts, const ReadOptions& options, std::size_t piece_bytes) {
  std::vector<bool> texts;
  for (;;) {
    PartReader reader(parts, options, piece_bytes, texts);
    Builder builder = reader.builder(parts.can_rewind());
    if (options.progress) {
      while (reader.read(builder, kProgressPieces)) options.progress(builder.rows(), parts.share());
    } else {
      while (reader.read(builder, PieceReader::kAll)) {
      }
    }
    if (!builder.has_late_text()) {
      if (!options.allow_empty) builder.check_rows();
      return builder.take();
    }
    texts.resize(builder.late_text().size());
    for (std::size_t i = 0; i < texts.size(); ++i) texts[i] = texts[i] || builder.late_text()[i];
    parts.rewind();
  }
}

BlockReader::BlockReader(Parts parts, const ReadOptions& options, std::size_t piece_bytes)
    : parts_(std::move(parts)),
      reader_(parts_, options, piece_bytes),
      builder_(reader_.builder(false)),
      allow_empty_(options.allow_empty) {}

std::optional<Content> BlockReader::next() {
  while (more_ && builder_.rows() == 0) more_ = reader_.read(builder_, kBlockPieces);
  if (!allow_empty_) builder_.check_rows();
  const bool begins = !std::exchange(begun_, true);
  return builder_.rows() > 0 || begins ? std::optional(builder_.take()) : std::nullopt;
}

}  // namespace mirrorball::table
