// Regions of target values, as --where, --probability and the server take them.

#include <array>
#include <stdexcept>

#include "check.h"
#include "mirrorball/region.h"

using namespace mirrorball;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::array<std::string, 3> targets = {"y", "y2", "SO2 (ppm)"};
  try {
    const Region region = Region::parse({reinterpret_cast<const char*>(data), size}, targets);
    const std::optional<std::size_t> only = region.only_target();
    FUZZ_CHECK(!only || *only < targets.size());
    const bool inside = region.contains(std::array{0.5, -1.0, 1e9});
    // What it prints as means the same.
    FUZZ_CHECK(Region::parse(region.text(), targets).contains(std::array{0.5, -1.0, 1e9}) == inside);
  } catch (const std::invalid_argument&) {
  }
  return 0;
}
