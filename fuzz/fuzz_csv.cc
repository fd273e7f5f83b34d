// Tables as CSV and TSV; the first byte chooses the file's name, from which the separator may follow.

#include "bytes.h"
#include "read_table.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  mirrorball::fuzz::Bytes bytes(data, size);
  const char* const name = bytes.take<std::uint8_t>() == 't' ? "data.tsv" : "data.csv";
  mirrorball::fuzz::read_table(bytes.rest(), name);
  return 0;
}
