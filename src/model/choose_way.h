#pragma once

#include <optional>

#include "calibrate/fit_weights.h"
#include "neighbours/fit_neighbours.h"
#include "train/training_rows.h"

namespace mirrorball::model {

/// The neighbours of held-out rows, the nearest first.
using NearRows = std::vector<std::vector<neighbours::Neighbours::Near>>;
NearRows near_rows(const train::TrainingRows& rows, std::span<const rows::RowNumber> which,
                   const neighbours::FittedNeighbours& fitted, ThreadPool& pool);

/// Gives the held-out rows, one entry per target, the draws of their neighbours in this way, `count` each.
void add_neighbours(const NearRows& near, const neighbours::FittedNeighbours& fitted,
                    const neighbours::Way& way, std::size_t count, ThreadPool& pool,
                    std::span<calibrate::HeldOut> to);

/// Adds the draws of the way with the least CRPS of the pool, summed over the targets. None, and no draws,
/// where that gains no more than chance does.
std::optional<neighbours::Way> choose_way(const NearRows& near, const neighbours::FittedNeighbours& fitted,
                                          std::size_t count, calibrate::AllowedWeights allowed,
                                          ThreadPool& pool, std::vector<calibrate::HeldOut>& to);

}  // namespace mirrorball::model
