#include "table/text_source.h"

#include <utility>

#include "table/unpacker.h"

namespace mirrorball::table {

TextSource::TextSource(std::unique_ptr<ByteSource> bytes) : bytes_(std::move(bytes)) { detect(); }

TextSource::~TextSource() = default;

std::size_t TextSource::read(char* out, std::size_t size) {
  return unpacker_ ? unpacker_->read(out, size) : bytes_->read(out, size);
}

void TextSource::rewind() {
  bytes_->rewind();
  detect();
}

void TextSource::detect() {
  const std::string_view first = bytes_->peek(kMarkBytes);
  check_readable(first, bytes_->name());
  unpacker_ = unpacker_for(packing_of(first), *bytes_);
}

}  // namespace mirrorball::table
