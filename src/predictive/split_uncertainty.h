#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "mirrorball/uncertainty.h"

namespace mirrorball::predictive {

/// Sources are numbers below this, so that sums by source fit into a plain array.
inline constexpr std::uint32_t kMostSources = 1 << 16;

/// The uncertainty of samples that come from several sources, `sources[i]` that of `samples[i]`. At least
/// one sample; all finite.
Uncertainty split_uncertainty(std::span<const double> samples, std::span<const std::uint32_t> sources);

}  // namespace mirrorball::predictive
