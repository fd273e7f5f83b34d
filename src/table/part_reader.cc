#include "table/part_reader.h"

namespace mirrorball::table {
namespace {

/// Enough for most headers.
constexpr std::size_t kHeaderBytes = std::size_t{1} << 16;

}  // namespace

PartReader::PartReader(Parts& parts, const ReadOptions& options, std::size_t piece_bytes,
                       const std::vector<bool>& texts)
    : parts_(parts),
      options_(options),
      piece_bytes_(piece_bytes),
      first_(parts.text(), parts.reading(options), piece_bytes, texts) {
  // Before anything is read, and not after hours.
  for (const std::string& file : parts.others()) {
    Parts other(std::vector{file});
    PieceReader(other.text(), other.reading(options), kHeaderBytes, first_);
  }
}

Builder PartReader::builder(bool can_restart) const {
  Builder made = first_.builder(can_restart);
  made.name_source(parts_.name());
  return made;
}

bool PartReader::read(Builder& builder, std::size_t most) {
  PieceReader& open = later_ ? *later_ : first_;
  if (open.read(builder, most)) return true;
  if (!parts_.advance()) return false;
  later_.emplace(parts_.text(), parts_.reading(options_), piece_bytes_, first_);
  builder.begin_file(parts_.text().name(), later_->first_line());
  return true;
}

}  // namespace mirrorball::table
