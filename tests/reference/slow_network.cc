#include "reference/slow_network.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "net/noise_points.h"

namespace mirrorball::slow {
namespace {

std::vector<double> affine(const net::Tensor& weight, const net::Tensor* bias, std::span<const double> all,
                           const std::vector<double>& x) {
  std::vector<double> y(weight.cols, 0.0);
  for (std::size_t out = 0; out < weight.cols; ++out) {
    if (bias) y[out] = all[bias->offset + out];
    for (std::size_t in = 0; in < weight.rows; ++in)
      y[out] += x[in] * all[weight.offset + in * weight.stride + out];
  }
  return y;
}

std::vector<double> noise_features(const net::NetShape& shape, std::span<const float> noise) {
  if (shape.network == Network::kDisco) return {noise.begin(), noise.end()};
  std::vector<double> features;
  for (float a : noise)
    for (std::size_t k = 0; k < shape.cosines_per_dim(); ++k)
      features.push_back(std::cos(static_cast<double>(k) * std::numbers::pi * static_cast<double>(a)));
  return features;
}

/// What the first layer sees: the numbers, then the mixtures of each number's waves.
std::vector<double> first_inputs(const net::NetShape& shape, const net::NetLayout& layout,
                                 std::span<const double> all, std::span<const float> numbers) {
  std::vector<double> inputs(numbers.begin(), numbers.end());
  if (shape.waves == 0) return inputs;
  for (std::size_t j = 0; j < shape.numbers; ++j) {
    std::vector<double> waves(2 * shape.waves);
    for (std::size_t k = 0; k < shape.waves; ++k) {
      const double frequency = all[layout.wave_frequency.offset + j * layout.wave_frequency.stride + k],
                   angle = 2 * std::numbers::pi * frequency * static_cast<double>(numbers[j]);
      const double amplitude = all[layout.wave_amplitude.offset + k];
      waves[k] = amplitude * std::cos(angle);
      waves[shape.waves + k] = amplitude * std::sin(angle);
    }
    for (std::size_t o = 0; o < shape.wave_outputs; ++o) {
      double sum = all[layout.wave_bias.offset + j * shape.wave_outputs + o];
      for (std::size_t k = 0; k < waves.size(); ++k)
        sum += waves[k] *
               all[layout.wave_weight.offset + (j * waves.size() + k) * layout.wave_weight.stride + o];
      inputs.push_back(act(kernels::Act::kRelu, sum));
    }
  }
  return inputs;
}

/// The noise points of every draw of one row of a batch, as engines make them.
std::vector<float> points_of_row(const engine::TrainTask& task, std::uint32_t step, std::size_t row) {
  const net::NetShape& shape = task.shape;
  const net::StepNoise& plan = task.noise;
  const std::size_t dims = shape.noise_dim;
  std::vector<float> points(plan.draws * dims);
  if (!shape.noisy()) return points;
  Stream random(task.seed, Purpose::kNoise, task.network, step, static_cast<std::uint32_t>(row));
  if (plan.grid == 0) {
    net::choose_points(plan, dims, random, points);
    return points;
  }
  std::vector<float> grid(plan.grid * dims);
  Stream shift(task.seed, Purpose::kShift, task.network, step);
  net::grid_points(shift, dims, grid);
  std::vector<std::uint32_t> index(plan.draws);
  net::choose_rows(plan, dims, random, index);
  for (std::size_t n = 0; n < plan.draws; ++n)
    for (std::size_t j = 0; j < dims; ++j) points[n * dims + j] = grid[index[n] * dims + j];
  return points;
}

}  // namespace

double act(kernels::Act act, double z) {
  constexpr double scale = 1.0507009873554805, alpha = 1.6732632423543772;
  switch (act) {
    case kernels::Act::kIdentity:
      return z;
    case kernels::Act::kRelu:
      return z > 0 ? z : 0;
    case kernels::Act::kSelu:
      return z > 0 ? scale * z : scale * alpha * std::expm1(z);
    case kernels::Act::kTanh:
      return std::tanh(z);
    case kernels::Act::kGcu:
      return z * std::cos(z);
    case kernels::Act::kSilu:
      return z / (1 + std::exp(-z));
  }
  return 0;
}

double act_slope(kernels::Act act, double z) {
  constexpr double scale = 1.0507009873554805, alpha = 1.6732632423543772;
  const double s = 1 / (1 + std::exp(-z));
  switch (act) {
    case kernels::Act::kIdentity:
      return 1;
    case kernels::Act::kRelu:
      return z > 0 ? 1 : 0;
    case kernels::Act::kSelu:
      return z > 0 ? scale : scale * alpha * std::exp(z);
    case kernels::Act::kTanh:
      return 1 - std::tanh(z) * std::tanh(z);
    case kernels::Act::kGcu:
      return std::cos(z) - z * std::sin(z);
    case kernels::Act::kSilu:
      return s * (1 + z * (1 - s));
  }
  return 0;
}

std::vector<double> forward(const net::NetShape& shape, const net::NetLayout& layout,
                            std::span<const double> weights, std::span<const float> numbers,
                            std::span<const std::int32_t> codes, std::span<const float> noise) {
  const auto all_act = [](kernels::Act which, std::vector<double> values) {
    for (double& value : values) value = act(which, value);
    return values;
  };
  std::vector<double> u =
      affine(layout.input_weight, &layout.input_bias, weights, first_inputs(shape, layout, weights, numbers));
  u.resize(shape.width);
  if (shape.numbers == 0)
    for (std::size_t j = 0; j < shape.width; ++j) u[j] = weights[layout.input_bias.offset + j];
  for (std::int32_t code : codes) {
    if (code == rows::EncodedRows::kNothing) continue;
    for (std::size_t j = 0; j < shape.width; ++j)
      u[j] += weights[layout.learned_rows.offset +
                      static_cast<std::size_t>(code) * layout.learned_rows.stride + j];
  }
  if (shape.network == Network::kDnPlus) {
    u = all_act(shape.activate_input ? shape.act : kernels::Act::kIdentity, u);
    const std::vector<double> phi =
        all_act(kernels::Act::kTanh,
                affine(layout.noise_weight, &layout.noise_bias, weights, noise_features(shape, noise)));
    for (std::size_t j = 0; j < u.size(); ++j) u[j] *= phi[j];
  } else {
    if (shape.network == Network::kDisco) {
      const std::vector<double> shift =
          affine(layout.noise_weight, nullptr, weights, noise_features(shape, noise));
      for (std::size_t j = 0; j < u.size(); ++j) u[j] += shift[j];
    }
    u = all_act(shape.act, u);
  }
  for (std::size_t layer = 0; layer < shape.layers; ++layer)
    u = all_act(shape.act, affine(layout.hidden_weight[layer], &layout.hidden_bias[layer], weights, u));
  std::vector<double> y(shape.targets);
  for (std::size_t t = 0; t < shape.targets; ++t) {
    y[t] = weights[layout.output_bias.offset + t];
    for (std::size_t j = 0; j < shape.width; ++j)
      y[t] += u[j] * weights[layout.output_weight.offset + t * layout.output_weight.stride + j];
  }
  return y;
}

double energy_score(const std::vector<std::vector<double>>& draws, std::span<const float> y, double alpha,
                    double pair_weight) {
  const double n = static_cast<double>(draws.size());
  double to_truth = 0, among = 0;
  for (const std::vector<double>& one : draws) {
    double square = 0;
    for (std::size_t t = 0; t < one.size(); ++t) square += std::pow(one[t] - static_cast<double>(y[t]), 2);
    to_truth += std::pow(square, alpha / 2) / n;
    for (const std::vector<double>& other : draws) {
      square = 0;
      for (std::size_t t = 0; t < one.size(); ++t) square += std::pow(one[t] - other[t], 2);
      among += square > 0 ? std::pow(square, alpha / 2) : 0;
    }
  }
  return to_truth - pair_weight * among;
}

namespace {

using Draws = std::vector<std::vector<double>>;

Draws draws_of_row(const engine::TrainTask& task, const net::NetLayout& layout,
                   std::span<const double> weights, const train::TrainingRows& rows, rows::RowNumber row,
                   std::span<const float> points) {
  const net::NetShape& shape = task.shape;
  const std::span<const float> numbers(rows.inputs.numbers.data() + row * shape.numbers, shape.numbers);
  const std::span<const std::int32_t> codes(rows.inputs.codes.data() + row * shape.codes, shape.codes);
  Draws draws;
  for (std::size_t n = 0; n < task.noise.draws; ++n)
    draws.push_back(forward(shape, layout, weights, numbers, codes,
                            points.subspan(n * shape.noise_dim, shape.noise_dim)));
  return draws;
}

}  // namespace

Push batch_push(const engine::TrainTask& task, const net::NetLayout& layout, std::span<const double> weights,
                const train::TrainingRows& rows, std::span<const rows::RowNumber> batch, std::uint32_t step) {
  Push push;
  const std::size_t count = task.noise.draws;
  for (std::size_t b = 0; b < batch.size(); ++b) {
    const std::vector<float> points = points_of_row(task, step, b);
    const Draws draws = draws_of_row(task, layout, weights, rows, batch[b], points);
    push.emplace_back();
    for (std::size_t n = 0; n < count; ++n) {
      const std::vector<double>&before = draws[n == 0 ? 0 : n - 1],
            &after = draws[std::min(n + 1, count - 1)];
      double square = 0;
      for (std::size_t t = 0; t < before.size(); ++t) square += std::pow(after[t] - before[t], 2);
      const double place =
          static_cast<double>(count) * static_cast<double>(points[n]) - static_cast<double>(n);
      push[b].emplace_back();
      for (std::size_t t = 0; t < before.size(); ++t)
        push[b][n].push_back(-2 * static_cast<double>(task.loss.pair_weight) * (2 * place - 1) *
                             (after[t] - before[t]) / std::sqrt(square));
    }
  }
  return push;
}

double batch_loss(const engine::TrainTask& task, const net::NetLayout& layout,
                  std::span<const double> weights, const train::TrainingRows& rows,
                  std::span<const rows::RowNumber> batch, std::uint32_t step, const Push& push) {
  const net::NetShape& shape = task.shape;
  double sum = 0;
  for (std::size_t b = 0; b < batch.size(); ++b) {
    const std::span<const float> y(rows.targets.data() + batch[b] * shape.targets, shape.targets);
    const Draws draws = draws_of_row(task, layout, weights, rows, batch[b], points_of_row(task, step, b));
    double loss = 0;
    if (shape.noisy()) {
      loss = energy_score(draws, y, static_cast<double>(task.loss.alpha),
                          static_cast<double>(task.loss.pair_weight));
    } else {
      for (std::size_t t = 0; t < shape.targets; ++t)
        loss += std::pow(draws[0][t] - static_cast<double>(y[t]), 2);
    }
    if (!push.empty())
      for (std::size_t n = 0; n < draws.size(); ++n)
        for (std::size_t t = 0; t < shape.targets; ++t) loss += push[b][n][t] * draws[n][t];
    sum += loss * static_cast<double>(rows.weights[batch[b]]) / static_cast<double>(batch.size());
  }
  return sum;
}

}  // namespace mirrorball::slow
