#pragma once

#include <array>
#include <cstddef>

namespace mirrorball::serve {

// What a request gets that does not say. Numbers of samples are those of the library.

/// Values along a feature, of sample functions and of quantiles.
inline constexpr std::size_t kFunctionPoints = 60, kAlongPoints = 40;
inline constexpr std::size_t kFunctions = 20;
inline constexpr std::array kQuantileLevels = {0.05, 0.25, 0.5, 0.75, 0.95};
inline constexpr std::size_t kBackgroundRows = 50;

}  // namespace mirrorball::serve
