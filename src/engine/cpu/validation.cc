#include "engine/cpu/validation.h"

#include <algorithm>

#include "net/noise_points.h"

namespace mirrorball::engine {
namespace {

std::vector<float> fixed_points(const TrainTask& task) {
  std::vector<float> points(task.validation_samples * task.shape.noise_dim);
  Stream random(task.seed, Purpose::kValidation, task.network);
  if (!points.empty()) net::spread_points(random, task.shape.noise_dim, points);
  return points;
}

}  // namespace

// Evenly spread draws call for the paper's pair weights, whatever the training uses.
Validation::Validation(const TrainTask& task, const net::NetLayout& layout, ThreadPool& pool)
    : task_(task),
      layout_(layout),
      energy_(
          kernels::EnergyScore::make(task.validation_samples, task.shape.targets, task.loss.alpha, false)),
      points_(fixed_points(task)),
      sampler_(task.shape, layout, task.validation_samples, pool),
      targets_(task.validation.size() * task.shape.targets),
      weights_(task.validation.size()),
      row_scores_(task.validation.size()),
      parts_(group::even_parts(*task.team, task.validation.size())),
      scratch_(pool.size()),
      draws_(pool.size(), std::vector<float>(energy_.draws * task.shape.targets + kPadding)) {
  task.rows->gather(task.validation, {.targets = targets_.data(), .weights = weights_.data()});
}

double Validation::score(const float* weights) {
  const net::NetShape& shape = task_.shape;
  const std::size_t first = parts_[task_.team->rank()], end = parts_[task_.team->rank() + 1];
  const auto one_row = [&](std::size_t place, const float* draws, unsigned worker) {
    const std::size_t i = first + place;
    const float* truth = targets_.data() + i * shape.targets;
    if (!shape.noisy()) {
      row_scores_[i] = kernels::squared_error(truth, draws, shape.targets, 1, 1.0f, nullptr);
      return;
    }
    std::vector<float>& copy = draws_[worker];
    std::copy_n(draws, energy_.draws * shape.targets, copy.data());
    row_scores_[i] = energy_(truth, copy.data(), energy_.draws, 1.0f, nullptr, scratch_[worker]);
  };
  const Buffer<float> noise = embed_noise(shape, layout_, weights, points_, energy_.draws);
  sampler_.run(weights, noise.data(), *task_.rows, task_.validation.subspan(first, end - first), one_row);
  group::PartsExchange exchange(*task_.team);
  exchange.share(std::span(row_scores_), parts_);
  exchange.run();
  double sum = 0, weight = 0;
  for (std::size_t i = 0; i < row_scores_.size(); ++i) {
    sum += row_scores_[i] * weights_[i];
    weight += weights_[i];
  }
  return sum / weight;
}

}  // namespace mirrorball::engine
