// Model files as they come: any bytes. The checksum keeps most mutations out; fuzz_model_parts goes on behind
// it.

#include <stdexcept>

#include "check.h"
#include "load_model.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  mirrorball::fuzz::load_model({reinterpret_cast<const char*>(data), size});
  return 0;
}
