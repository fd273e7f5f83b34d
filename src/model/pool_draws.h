#pragma once

#include "model/noise_cache.h"
#include "model/parts.h"

namespace mirrorball::model {

/// Draws of all networks together for the rows `which`, in transformed units: for each row, for each target,
/// `draws` values, one network's after the other's. All rows share the noise; `cache`, where there is one,
/// keeps it. `drawer` has the networks of `parts`.
std::vector<float> network_draws(const Model::Parts& parts, const engine::DrawEngine& drawer,
                                 const rows::RowStore& rows, std::span<const rows::RowNumber> which,
                                 std::size_t draws, std::uint64_t seed, ThreadPool& pool,
                                 NoiseCache* cache = nullptr);

}  // namespace mirrorball::model
