#include "train/plan.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/level.h"

namespace mirrorball {

namespace {

NoisePlan noise_plan(const Options& options, const NetShape& shape) {
  NoisePlan plan{1, false, 0};
  if (!shape.noisy()) return plan;
  const bool one = shape.noise_dim == 1;
  plan.draws = options.draws > 0 ? static_cast<std::size_t>(options.draws) : one ? 6 : 16;
  plan.stratified = options.sampling == Sampling::kStratified ||
                    (options.sampling == Sampling::kAuto && one && !options.fair);
  if (options.noise_grid == 0) return plan;
  plan.grid = std::max(static_cast<std::size_t>(options.noise_grid) * (one ? 1 : 4), plan.draws);
  // Strata of equal size, so that every grid point is as likely as any other.
  if (plan.stratified && one) plan.grid = (plan.grid + plan.draws - 1) / plan.draws * plan.draws;
  return plan;
}

/// Many small steps make the best networks of small and middling tables; large ones can afford larger steps.
std::size_t usual_batch(std::size_t rows) {
  return rows < 2000 ? 32 : std::clamp<std::size_t>(rows / 500, 100, 400);
}

/// More steps than this let a network learn a small table by heart.
constexpr std::size_t kStepsPerRow = 6;

}  // namespace

TrainingPlan TrainingPlan::make(const Options& options, const NetShape& shape, std::size_t rows) {
  TrainingPlan plan;
  plan.rows = rows;
  plan.noise = noise_plan(options, shape);
  // Left to itself, each way of drawing gets the weights that make it right: see docs/method.md.
  const bool fair = options.fair || (options.sampling == Sampling::kAuto && !plan.noise.stratified);
  plan.loss = EnergyScore::make(plan.noise.draws, shape.targets, options.alpha, fair);
  plan.loss.strata =
      plan.noise.stratified && shape.noise_dim == 1 && plan.noise.draws > 1 && options.alpha == 1;
  const std::size_t batch = options.batch > 0 ? static_cast<std::size_t>(options.batch) : usual_batch(rows);
  plan.steps_per_epoch = std::max<std::size_t>(1, (rows + batch - 1) / batch);
  const std::size_t steps = std::min(static_cast<std::size_t>(options.min_steps), kStepsPerRow * rows);
  const std::size_t enough = (steps + plan.steps_per_epoch - 1) / plan.steps_per_epoch;
  plan.epochs = std::max(static_cast<std::size_t>(options.epochs), enough);
  plan.patience = options.patience > 0    ? static_cast<std::size_t>(options.patience)
                  : options.patience == 0 ? std::max<std::size_t>(2, (plan.epochs + 5) / 6)
                                          : 0;
  plan.bfloat = options.precision != Precision::kFloat32 && cpu_level().bfloat;
  return plan;
}

double learning_rate(const Options& options, double step, double steps) {
  if (options.schedule == Schedule::kConstant) return options.learning_rate;
  const double rise = options.warmup * steps;
  const double warm = rise > 0 ? std::min(1.0, (step + 1) / rise) : 1.0;
  return options.learning_rate * warm * (0.5 + 0.5 * std::cos(std::numbers::pi * step / steps));
}

}  // namespace mirrorball
