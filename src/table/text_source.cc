#include "table/text_source.h"

#include <utility>

#include "table/gunzip.h"

namespace mirrorball::table {

TextSource::TextSource(std::unique_ptr<ByteSource> bytes) : bytes_(std::move(bytes)) { detect(); }

TextSource::~TextSource() = default;

std::size_t TextSource::read(char* out, std::size_t size) {
  return gunzip_ ? gunzip_->read(out, size) : bytes_->read(out, size);
}

void TextSource::rewind() {
  bytes_->rewind();
  detect();
}

void TextSource::detect() {
  gunzip_ = bytes_->starts_with_gzip() ? std::make_unique<Gunzip>(*bytes_) : nullptr;
}

}  // namespace mirrorball::table
