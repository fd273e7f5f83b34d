#pragma once

#include <zlib.h>

#include <cstddef>
#include <vector>

namespace mirrorball::table {

class ByteSource;

/// Unpacks gzip data, of one member or several one after the other.
class Gunzip {
 public:
  explicit Gunzip(ByteSource& bytes);
  ~Gunzip();
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;

  /// Fills `out`; fewer bytes than asked for mean the end.
  std::size_t read(char* out, std::size_t size);

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
