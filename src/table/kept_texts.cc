#include "table/kept_texts.h"

#include "base/utf8.h"

namespace mirrorball::table {

void KeptTexts::append(std::string_view text) {
  bytes_ += as_utf8(text);
  ends_.push_back(bytes_.size());
}

void KeptTexts::append(const KeptTexts& other) {
  const std::size_t before = bytes_.size();
  bytes_ += other.bytes_;
  for (const std::size_t end : other.ends_) ends_.push_back(before + end);
}

void KeptTexts::clear() {
  bytes_.clear();
  ends_.clear();
}

KeptTexts KeptTexts::slice(std::size_t begin, std::size_t end) const {
  KeptTexts part;
  for (std::size_t row = begin; row < end; ++row) part.append((*this)[row]);
  return part;
}

std::string_view KeptTexts::operator[](std::size_t row) const {
  const std::size_t begin = row == 0 ? 0 : ends_[row - 1];
  return std::string_view(bytes_).substr(begin, ends_[row] - begin);
}

}  // namespace mirrorball::table
