#pragma once

#include <cstddef>

#include "mirrorball/options.h"
#include "train/step.h"

namespace mirrorball {

/// The options settled for a table of a given size: nothing is automatic any more.
struct TrainingPlan {
  std::size_t rows = 0;
  std::size_t steps_per_epoch = 1;
  std::size_t epochs = 1;
  NoisePlan noise;
  EnergyScore loss;
  bool bfloat = false;       ///< products of bfloats
  std::size_t patience = 0;  ///< epochs without a better score that end it; 0: none do

  static TrainingPlan make(const Options& options, const NetShape& shape, std::size_t rows);

  std::size_t steps() const { return steps_per_epoch * epochs; }
  /// Batches share the rows evenly, so that none is left out.
  std::size_t batch_begin(std::size_t step) const { return rows * step / steps_per_epoch; }
  std::size_t largest_batch() const { return (rows + steps_per_epoch - 1) / steps_per_epoch; }
};

/// Learning rate at step `step` (from 0, not always whole) of `steps`: constant, or rising linearly over the
/// warm-up while half a cosine takes it to 0.
double learning_rate(const Options& options, double step, double steps);

}  // namespace mirrorball
