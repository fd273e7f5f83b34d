#include "train/validation.h"

#include <algorithm>

#include "net/noise_points.h"

namespace mirrorball {
namespace {

std::vector<float> fixed_points(const NetShape& shape, const Options& options, std::uint32_t member) {
  std::vector<float> points(static_cast<std::size_t>(options.valid_draws) * shape.noise_dim);
  Stream random(options.seed, Purpose::kValidation, member);
  if (!points.empty()) spread_points(random, shape.noise_dim, points);
  return points;
}

}  // namespace

// Evenly spread draws call for the paper's pair weights, whatever the training uses.
Validation::Validation(const NetShape& shape, const NetLayout& layout, const Options& options,
                       std::uint32_t member, const TrainingRows& rows, ThreadPool& pool)
    : shape_(shape),
      rows_(rows),
      energy_(EnergyScore::make(static_cast<std::size_t>(options.valid_draws), shape.targets, options.alpha,
                                false)),
      points_(fixed_points(shape, options, member)),
      sampler_(shape, layout, static_cast<std::size_t>(options.valid_draws), pool),
      row_scores_(rows.valid.size()),
      scratch_(pool.size()),
      draws_(pool.size(), std::vector<float>(energy_.draws * shape.targets + kLane)) {}

double Validation::score(const float* weights) {
  const auto one_row = [&](std::size_t i, const float* draws, unsigned worker) {
    const float* truth = rows_.targets.data() + rows_.valid[i] * shape_.targets;
    if (!shape_.noisy()) {
      row_scores_[i] = squared_error(truth, draws, shape_.targets, 1, 1.0f, nullptr);
      return;
    }
    std::vector<float>& copy = draws_[worker];
    std::copy_n(draws, energy_.draws * shape_.targets, copy.data());
    row_scores_[i] = energy_(truth, copy.data(), energy_.draws, 1.0f, nullptr, scratch_[worker]);
  };
  const Buffer<float> noise = sampler_.embed(weights, points_);
  sampler_.run(weights, noise.data(), rows_.inputs, rows_.valid, one_row);
  double sum = 0, weight = 0;
  for (std::size_t i = 0; i < row_scores_.size(); ++i) {
    sum += row_scores_[i] * rows_.weights[rows_.valid[i]];
    weight += rows_.weights[rows_.valid[i]];
  }
  return sum / weight;
}

}  // namespace mirrorball
