#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace mirrorball::table {

/// Eight characters in a word, compared all at once.
class EightBytes {
 public:
  explicit EightBytes(const char* at) {
    if constexpr (std::endian::native == std::endian::little) {
      std::memcpy(&word_, at, sizeof word_);
    } else {
      for (int i = 7; i >= 0; --i) word_ = word_ << 8 | static_cast<unsigned char>(at[i]);
    }
  }

  /// A bit for each place that holds `byte`: the high one of that place.
  std::uint64_t equal(char byte) const {
    const std::uint64_t difference = word_ ^ (static_cast<unsigned char>(byte) * kEach);
    return ~(((difference & kLow) + kLow) | difference | kLow);
  }

  /// The first place with a bit in `places`, which has one.
  static int first(std::uint64_t places) { return std::countr_zero(places) / 8; }

 private:
  static constexpr std::uint64_t kEach = 0x0101010101010101;
  static constexpr std::uint64_t kLow = 0x7F * kEach;

  std::uint64_t word_ = 0;
};

}  // namespace mirrorball::table
