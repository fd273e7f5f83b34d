#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace mirrorball::fuzz {

/// Choices that a fuzzer makes, byte by byte from the front; zeros when there are no more.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  bool empty() const { return size_ == 0; }

  template <class Number>
  Number take() {
    Number number{};
    const std::size_t count = size_ < sizeof number ? size_ : sizeof number;
    if (count > 0) std::memcpy(&number, data_, count);
    drop(count);
    return number;
  }

  /// A number below `count`, which is at least 1.
  std::size_t below(std::size_t count) { return take<std::uint8_t>() % count; }

  /// The next text: its length, then its bytes.
  std::string_view text(std::size_t most = 255) {
    std::size_t length = below(most + 1);
    if (length > size_) length = size_;
    const std::string_view found(reinterpret_cast<const char*>(data_), length);
    drop(length);
    return found;
  }

  std::string_view rest() {
    const std::string_view found(reinterpret_cast<const char*>(data_), size_);
    drop(size_);
    return found;
  }

 private:
  void drop(std::size_t count) {
    data_ += count;
    size_ -= count;
  }

  const std::uint8_t* data_;
  std::size_t size_;
};

}  // namespace mirrorball::fuzz
