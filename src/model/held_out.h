#pragma once

#include "calibrate/held_out.h"
#include "model/experts.h"
#include "model/parts.h"
#include "train/training_rows.h"

namespace mirrorball::model {

/// `most` of the rows, evenly spread.
std::vector<rows::RowNumber> thinned(const std::vector<rows::RowNumber>& rows, std::size_t most);

/// How many draws a forecast is made of, and which noise.
struct PoolSize {
  calibrate::PoolParts draws;
  std::uint64_t seed;
};

/// Forecasts of the rows `which`, one entry per target, by what has not trained on them. Rows without a tree
/// that has not seen them keep the networks' draws in the forest's place.
std::vector<calibrate::HeldOut> forecasts(const train::TrainingRows& rows,
                                          std::span<const rows::RowNumber> which, const PoolSize& size,
                                          const Experts& experts, ThreadPool& pool,
                                          const Model::Parts& parts);

/// Mean CRPS of the distribution of the rows `training` for the rows of `held_out`, in the units of target
/// `target`; both by weight.
double training_crps(const train::TrainingRows& rows, std::span<const rows::RowNumber> training,
                     const calibrate::HeldOut& held_out, std::size_t target, std::size_t targets);

}  // namespace mirrorball::model
