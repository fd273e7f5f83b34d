#include "table/gunzip.h"

#include <algorithm>
#include <new>

#include "base/error.h"
#include "table/byte_source.h"

namespace mirrorball::table {
namespace {

constexpr std::size_t kPackedBytes = std::size_t{1} << 18;

}  // namespace

Gunzip::Gunzip(ByteSource& bytes) : bytes_(bytes), packed_(kPackedBytes) {
  if (inflateInit2(&stream_, kGzipWindow) != Z_OK) throw std::bad_alloc();
}

Gunzip::~Gunzip() { inflateEnd(&stream_); }

std::size_t Gunzip::read(char* out, std::size_t size) {
  std::size_t filled = 0;
  while (filled < size) {
    if (stream_.avail_in == 0 && !held_back_ && !refill()) break;
    const std::size_t room = std::min(size - filled, kMostAtOnce);
    stream_.next_out = reinterpret_cast<Bytef*>(out + filled);
    stream_.avail_out = static_cast<uInt>(room);
    inflate_some();
    filled += room - stream_.avail_out;
  }
  return filled;
}

bool Gunzip::refill() {
  const std::size_t count = bytes_.read(packed_.data(), packed_.size());
  stream_.next_in = reinterpret_cast<Bytef*>(packed_.data());
  stream_.avail_in = static_cast<uInt>(count);
  if (count == 0 && inside_) bad_input("{}: the gzip data is truncated", bytes_.name());
  return count > 0;
}

void Gunzip::inflate_some() {
  inside_ = true;
  const int status = inflate(&stream_, Z_NO_FLUSH);
  held_back_ = stream_.avail_out == 0 && status != Z_STREAM_END;
  if (status == Z_STREAM_END) {
    inside_ = false;
    inflateReset(&stream_);
  } else if (status == Z_MEM_ERROR) {
    throw std::bad_alloc();
  } else if (status != Z_OK && status != Z_BUF_ERROR) {
    bad_input("{}: damaged gzip data ({})", bytes_.name(), stream_.msg ? stream_.msg : "unknown reason");
  }
}

}  // namespace mirrorball::table
