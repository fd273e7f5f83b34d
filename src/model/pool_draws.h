#pragma once

#include "model/parts.h"

namespace mirrorball {

/// Draws of all networks together for the rows `which`, in transformed units: for each row, for each target,
/// `draws` values, one network's after the other's. All rows share the noise.
std::vector<float> network_draws(const Model::Parts& parts, const EncodedRows& inputs,
                                 std::span<const std::uint32_t> which, std::size_t draws, std::uint64_t seed,
                                 ThreadPool& pool);

}  // namespace mirrorball
