#pragma once

#include <cstddef>
#include <span>

namespace mirrorball::calibrate {

/// How much wider a pool of `all` networks would be than that of the few whose `draws` are given, one
/// network's after the other's in equal parts, for networks that differ as these do.
double widening(std::span<const float> draws, std::size_t networks, std::size_t all);

}  // namespace mirrorball::calibrate
