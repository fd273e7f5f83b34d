#pragma once

#include "engine/engine.h"
#include "mirrorball/mirrorball.h"
#include "train/training_rows.h"

namespace mirrorball::bench {

/// Data and networks made for measuring: normal numbers, a target that is their sum with noise.

constexpr std::size_t kFeatures = 8, kPaperBatch = 200, kDefaultBatch = 100;

/// The paper's network, and the one of the default options, which embeds numbers by waves.
net::NetShape paper_shape(kernels::Act act);
net::NetShape default_shape(kernels::Act act, std::size_t targets = 1, std::size_t numbers = kFeatures);
train::TrainingRows training_rows(const net::NetShape& shape, std::size_t count);
Table table(std::size_t rows, std::size_t targets, std::size_t numbers = kFeatures);

/// The sizes of a step: the paper's (100 independent draws, each with noise of its own, or out of a grid that
/// the step shares) and the default.
constexpr net::StepNoise kPaperNoise{100, false, 0}, kPaperGridNoise{100, false, 256};
net::StepNoise default_noise();

/// A training of such a network on these rows.
engine::TrainTask task_of(const net::NetShape& shape, const net::StepNoise& noise, std::size_t batch,
                          const train::TrainingRows& rows);

/// Floating-point operations of a step's products: the hidden layers for every draw, each forward, back and
/// for the gradient of the weights; the first layer likewise, for every row (without waves nothing goes
/// back); the noise's layer forward and for the gradient, for every draw or once for the grid.
double step_flops(const net::NetShape& shape, const net::StepNoise& noise, std::size_t batch);

/// The same for drawing: the hidden layers forward.
double draw_flops(const net::NetShape& shape, std::size_t draws);

}  // namespace mirrorball::bench
