#include "train/plan.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace mirrorball {

TrainingPlan TrainingPlan::make(const Options& options, const NetShape& shape, std::size_t rows) {
  TrainingPlan plan;
  plan.rows = rows;
  const std::size_t batch = options.batch > 0 ? static_cast<std::size_t>(options.batch)
                                              : std::clamp<std::size_t>(rows / 20, 16, 200);
  plan.steps_per_epoch = std::max<std::size_t>(1, (rows + batch / 2) / batch);
  const std::size_t enough =
      (static_cast<std::size_t>(options.min_steps) + plan.steps_per_epoch - 1) / plan.steps_per_epoch;
  plan.epochs = std::max(static_cast<std::size_t>(options.epochs), enough);
  plan.noise.draws = shape.noisy() ? static_cast<std::size_t>(options.draws) : 1;
  plan.noise.stratified = options.sampling == Sampling::kStratified ||
                          (options.sampling == Sampling::kAuto && shape.targets == 1 && shape.noise_dim == 1);
  if (shape.noisy() && options.noise_grid > 0) {
    const std::size_t grid = static_cast<std::size_t>(options.noise_grid) * (shape.noise_dim > 1 ? 4 : 1);
    plan.noise.grid = std::max(grid, plan.noise.draws);
  } else {
    plan.noise.grid = 0;
  }
  return plan;
}

double learning_rate(const Options& options, std::size_t step, std::size_t steps) {
  if (options.schedule == Schedule::kConstant) return options.learning_rate;
  const double done = static_cast<double>(step) / static_cast<double>(steps);
  const double rise = options.warmup * static_cast<double>(steps);
  const double warm = rise > 0 ? std::min(1.0, static_cast<double>(step + 1) / rise) : 1.0;
  return options.learning_rate * warm * (0.5 + 0.5 * std::cos(std::numbers::pi * done));
}

}  // namespace mirrorball
