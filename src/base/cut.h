#pragma once

#include <cstddef>

namespace mirrorball {

/// Where part `i` of `parts` of [0, count) begins, and part i - 1 ends: as even as whole numbers allow.
constexpr std::size_t cut(std::size_t count, std::size_t parts, std::size_t i) { return count * i / parts; }

}  // namespace mirrorball
