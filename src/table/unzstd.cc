#include "table/unzstd.h"

#include <zstd_errors.h>

#include <new>

#include "base/error.h"
#include "table/byte_source.h"

namespace mirrorball::table {
namespace {

/// Memory that a file can make the reader take: what every decoder must support is 8 MB, `zstd --ultra` asks
/// for 128 MB, and only `--long` for more.
constexpr int kLargestWindowLog = 27;

}  // namespace

Unzstd::Unzstd(ByteSource& bytes)
    : bytes_(bytes), packed_(ZSTD_DStreamInSize()), context_(ZSTD_createDCtx()) {
  if (!context_) throw std::bad_alloc();
  ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kLargestWindowLog);
}

std::size_t Unzstd::read(char* out, std::size_t size) {
  ZSTD_outBuffer output = {out, size, 0};
  while (output.pos < size) {
    if (input_.pos == input_.size && !held_back_ && !refill()) break;
    const std::size_t left = ZSTD_decompressStream(context_.get(), &output, &input_);
    if (ZSTD_isError(left)) fail(left);
    inside_ = left != 0;
    held_back_ = inside_ && output.pos == size;
  }
  return output.pos;
}

bool Unzstd::refill() {
  input_ = {packed_.data(), bytes_.read(packed_.data(), packed_.size()), 0};
  if (input_.size == 0 && inside_) bad_input("{}: the zstd data is truncated", bytes_.name());
  return input_.size > 0;
}

void Unzstd::fail(std::size_t error) const {
  switch (ZSTD_getErrorCode(error)) {
    case ZSTD_error_memory_allocation:
      throw std::bad_alloc();
    case ZSTD_error_frameParameter_windowTooLarge:
      bad_input("{}: the zstd data needs a window of more than {} MB; compress it again without --long",
                bytes_.name(), (1 << kLargestWindowLog) >> 20);
    default:
      bad_input("{}: damaged zstd data ({})", bytes_.name(), ZSTD_getErrorName(error));
  }
}

}  // namespace mirrorball::table
