#pragma once

#include <algorithm>
#include <cstddef>

namespace mirrorball {

/// Rows predicted at a time, so that memory grows neither with the table nor with the draws: about 8 MB of
/// them.
inline std::size_t block_rows(std::size_t samples, std::size_t targets) {
  return std::clamp<std::size_t>(2'000'000 / (samples * targets), 1, 4096);
}

}  // namespace mirrorball
