#include "http/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>

#include "http/refusal.h"

namespace mirrorball::http {
namespace {

constexpr int kWindowBits = 15, kGzip = 16, kGzipOrDeflate = 32;  // zlib adds these up

Bytef* bytes_of(std::string_view text) { return reinterpret_cast<Bytef*>(const_cast<char*>(text.data())); }

}  // namespace

std::string gzip(std::string_view text) {
  z_stream stream = {};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kWindowBits + kGzip, 8, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    throw std::bad_alloc();
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = bytes_of(text);
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = bytes_of(out);
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string gunzip(std::string_view packed, std::size_t most,
                   const std::function<void(std::size_t bytes)>& more) {
  z_stream stream = {};
  if (inflateInit2(&stream, kWindowBits + kGzipOrDeflate) != Z_OK) throw std::bad_alloc();
  struct End {
    z_stream& stream;
    ~End() { inflateEnd(&stream); }
  } const end{stream};
  stream.next_in = bytes_of(packed);
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string out;
  std::array<char, 65536> block;
  for (int state = Z_OK; state != Z_STREAM_END;) {
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    state = inflate(&stream, Z_NO_FLUSH);
    if (state != Z_OK && state != Z_STREAM_END)
      throw Refusal(400, "the body is not compressed as its Content-Encoding says");
    if (more) more(block.size() - stream.avail_out);
    out.append(block.data(), block.size() - stream.avail_out);
    if (out.size() > most)
      throw Refusal(413, "the decompressed body is too large", "send fewer rows at a time");
  }
  return out;
}

}  // namespace mirrorball::http
