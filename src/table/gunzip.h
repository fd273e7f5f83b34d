#pragma once

#include <zlib.h>

#include <cstddef>
#include <vector>

#include "table/unpacker.h"

namespace mirrorball::table {

inline constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;  ///< zlib counts in 32 bits
inline constexpr int kGzipWindow = 15 + 16;                       ///< the largest window, gzip's frame

/// Unpacks gzip data, of one member or several one after the other.
class Gunzip final : public Unpacker {
 public:
  explicit Gunzip(ByteSource& bytes);
  ~Gunzip() override;
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;

  std::size_t read(char* out, std::size_t size) override;

 private:
  bool refill();
  void inflate_some();

  ByteSource& bytes_;
  std::vector<char> packed_;
  z_stream stream_{};
  bool inside_ = false;     // a member has begun and not ended
  bool held_back_ = false;  // zlib may have more output without more input
};

}  // namespace mirrorball::table
