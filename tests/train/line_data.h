#pragma once

#include "base/random.h"
#include "plan/rules.h"
#include "train/trainer.h"

namespace mirrorball::line {

/// The smallest thing to train on: y = x + noise.

inline net::NetShape line_shape() {
  net::NetShape shape;
  shape.numbers = 1;
  shape.width = 16;
  shape.cosines = 16;
  return shape;
}

/// Transformed already.
inline train::TrainingRows line_rows(std::size_t train, std::size_t valid) {
  const std::size_t count = train + valid;
  train::TrainingRows rows;
  rows.inputs = rows::EncodedRows(count, 1, 0);
  rows.targets = Buffer<float>(count);
  rows.weights = Buffer<float>(count);
  Stream random(1, Purpose::kTest);
  for (std::size_t i = 0; i < count; ++i) {
    rows.inputs.numbers[i] = static_cast<float>(random.normal());
    rows.targets[i] = rows.inputs.numbers[i] + 0.3f * static_cast<float>(random.normal());
    rows.weights[i] = 1.0f;
    (i < train ? rows.train : rows.valid).push_back(static_cast<std::uint32_t>(i));
  }
  return rows;
}

inline Options quick() {
  Options options;
  options.networks = 1;
  options.patience = -1;
  options.epochs = 30;
  options.min_steps = 0;
  options.batch = 40;
  options.learning_rate = 5e-3;
  return options;
}

/// What the options mean for so many rows of one number.
inline Plan plan_of(const Options& options, const train::TrainingRows& rows) {
  return plan::make_plan(
      options,
      {.training_rows = rows.train.size(), .validation_rows = rows.valid.size(), .number_columns = 1});
}

}  // namespace mirrorball::line
