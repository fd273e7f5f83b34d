#pragma once

#include <algorithm>
#include <cstddef>

namespace mirrorball::predictive {

/// Rows predicted at a time, so that memory does not grow with the table: up to 2 million draws, 16 MB as a
/// Predictive and 8 MB more as floats while the networks make them.
inline std::size_t block_rows(std::size_t samples, std::size_t targets) {
  return std::clamp<std::size_t>(2'000'000 / (samples * targets), 1, 4096);
}

}  // namespace mirrorball::predictive
