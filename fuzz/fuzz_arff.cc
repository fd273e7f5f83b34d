// Tables as ARFF: what does not begin as one is given a first line.

#include <string>

#include "read_table.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  if (!text.starts_with('@') && !text.starts_with('%')) text.insert(0, "@relation r\n");
  mirrorball::fuzz::read_table(text, "data.arff");
  return 0;
}
