#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/engine.h"
#include "net/shape.h"
#include "train/training_rows.h"

namespace mirrorball::slow {

/// The network, the loss and a training step once more, in double precision and straight from the formulas,
/// with no tiles, tables or shards.

double act(kernels::Act act, double z);
double act_slope(kernels::Act act, double z);

/// y for one row and one noise point.
std::vector<double> forward(const net::NetShape& shape, const net::NetLayout& layout,
                            std::span<const double> weights, std::span<const float> numbers,
                            std::span<const std::int32_t> codes, std::span<const float> noise);

/// Energy score of joint draws (one vector per draw) with the given pair weight.
double energy_score(const std::vector<std::vector<double>>& draws, std::span<const float> y, double alpha,
                    double pair_weight);

/// push[b][n][t]: what `repel_within_strata` adds to the slope of row b's loss in target t of draw n, with
/// these weights.
using Push = std::vector<std::vector<std::vector<double>>>;
Push batch_push(const engine::TrainTask& task, const net::NetLayout& layout, std::span<const double> weights,
                const train::TrainingRows& rows, std::span<const rows::RowNumber> batch, std::uint32_t step);

/// Mean loss of a batch with the noise that every engine draws for this step of the task, and push times
/// draws where there is a push. The push is no gradient of anything: its direction is taken as it is, so its
/// part of a step's gradient is that of push times draws, the push fixed.
double batch_loss(const engine::TrainTask& task, const net::NetLayout& layout,
                  std::span<const double> weights, const train::TrainingRows& rows,
                  std::span<const rows::RowNumber> batch, std::uint32_t step, const Push& push = {});

}  // namespace mirrorball::slow
