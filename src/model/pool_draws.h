#pragma once

#include "model/noise_cache.h"
#include "model/parts.h"

namespace mirrorball::model {

/// The networks share `draws` evenly, one after the other: where network i begins, and i - 1 ends.
constexpr std::size_t first_draw(std::size_t i, std::size_t networks, std::size_t draws) {
  return draws * i / networks;
}

/// Draws of all networks together for the rows `which`, in transformed units: for each row, for each target,
/// `draws` values, one network's after the other's. All rows share the noise; `cache`, where there is one,
/// keeps it. `drawer` has so many `networks`, those of `parts` or some of them.
Buffer<float> network_draws(const Model::Parts& parts, const engine::DrawEngine& drawer, std::size_t networks,
                            const rows::RowStore& rows, std::span<const rows::RowNumber> which,
                            std::size_t draws, std::uint64_t seed, ThreadPool& pool,
                            NoiseCache* cache = nullptr);

}  // namespace mirrorball::model
