#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

namespace mirrorball {

/// 64 bits that differ, but for chance, where the bytes differ: for comparing what is meant to be the same.
/// Not for what somebody might forge.
///
///   h <- (h xor w) * odd, then its upper bits onto its lower ones, for every eight bytes w
class Fingerprint {
 public:
  void add(const void* data, std::size_t bytes) {
    const auto* at = static_cast<const unsigned char*>(data);
    for (std::size_t left = bytes; left > 0;) {
      const std::size_t some = left < 8 ? left : 8;
      std::uint64_t word = 0;
      std::memcpy(&word, at, some);
      mix(word);
      at += some;
      left -= some;
    }
    mix(bytes);
  }
  template <class T>
  void add(std::span<const T> values) {
    static_assert(std::is_arithmetic_v<T>);
    add(values.data(), values.size_bytes());
  }
  void add(std::string_view text) { add(text.data(), text.size()); }

  std::uint64_t value() const { return value_; }

 private:
  void mix(std::uint64_t word) {
    value_ = (value_ ^ word) * 0x9E3779B97F4A7C15u;  // 2^64 over the golden ratio, odd
    value_ ^= value_ >> 29;
  }

  std::uint64_t value_ = 0x243F6A8885A308D3u;  // of pi
};

}  // namespace mirrorball
