#pragma once

#include <cstddef>

namespace mirrorball {

/// Kernels work on rows of floats whose length is a multiple of kPadding, back to back, 64-byte aligned; the
/// padding is 0.
constexpr std::size_t kPadding = 16;
constexpr std::size_t padded(std::size_t n) { return (n + kPadding - 1) / kPadding * kPadding; }

}  // namespace mirrorball
