#pragma once

#include <zstd.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "table/unpacker.h"

namespace mirrorball::table {

/// Unpacks zstd data, of one frame or several one after the other.
class Unzstd final : public Unpacker {
 public:
  explicit Unzstd(ByteSource& bytes);

  std::size_t read(char* out, std::size_t size) override;

 private:
  struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };

  bool refill();
  [[noreturn]] void fail(std::size_t error) const;

  ByteSource& bytes_;
  std::vector<char> packed_;
  std::unique_ptr<ZSTD_DCtx, Free> context_;
  ZSTD_inBuffer input_{};
  bool inside_ = false;     // a frame has begun and not ended
  bool held_back_ = false;  // there may be more output without more input
};

}  // namespace mirrorball::table
