// Compressed tables, gzip and zstd, and compressed bodies of requests.

#include "http/gzip.h"
#include "http/refusal.h"
#include "read_table.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  mirrorball::fuzz::read_whole(bytes, "data.csv.gz");
  try {
    mirrorball::http::gunzip(bytes, 1 << 16);
  } catch (const mirrorball::http::Refusal&) {
  }
  return 0;
}
