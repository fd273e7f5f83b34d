#include "engine/cpu/step.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/level.h"
#include "reference/gpu.h"
#include "reference/slow_network.h"

namespace mirrorball {
namespace {

struct Case {
  net::NetShape shape;
  net::StepNoise noise;
  double alpha = 1.0;
  bool fair = false;
  bool strata = false;

  std::string name() const {
    return fmt::format("network {} act {} targets {} draws {} {} grid {} alpha {} fair {} strata {}",
                       static_cast<int>(shape.network), static_cast<int>(shape.act), shape.targets,
                       noise.draws, noise.stratified ? "stratified" : "independent", noise.grid, alpha, fair,
                       strata);
  }
};

net::NetShape small_shape(Network network, kernels::Act act, std::size_t targets) {
  net::NetShape shape;
  shape.network = network;
  shape.numbers = 3;
  shape.codes = 2;
  shape.learned_rows = 5;
  shape.targets = targets;
  shape.width = 11;
  shape.layers = 2;
  shape.noise_dim = network == Network::kPoint ? 0 : targets;
  shape.cosines = 12;
  shape.act = act;
  return shape;
}

train::TrainingRows random_rows(const net::NetShape& shape, std::size_t count) {
  Stream random(5, Purpose::kTest);
  train::TrainingRows rows;
  rows.inputs = rows::EncodedRows(count, shape.numbers, shape.codes);
  rows.targets = Buffer<float>(count * shape.targets);
  rows.weights = Buffer<float>(count);
  for (float& value : rows.inputs.numbers) value = static_cast<float>(random.normal());
  for (std::int32_t& code : rows.inputs.codes) code = static_cast<std::int32_t>(random.below(6)) - 1;
  for (float& value : rows.targets) value = static_cast<float>(random.normal());
  for (float& value : rows.weights) value = 0.5f + random.uniform();
  return rows;
}

engine::TrainTask task_of(const Case& c, const train::TrainingRows& rows, std::size_t batch) {
  engine::TrainTask task;
  task.shape = c.shape;
  task.seed = 9;
  task.network = 1;
  task.noise = c.noise;
  task.loss = kernels::EnergyScore::make(c.noise.draws, c.shape.targets, c.alpha, c.fair);
  task.loss.strata = c.strata;
  task.largest_batch = batch;
  task.rows = &rows;
  return task;
}

std::vector<double> summed(const engine::TrainStep& step, std::size_t size) {
  std::vector<double> sum(size, 0.0);
  for (const float* shard : step.shards())
    for (std::size_t i = 0; i < size; ++i) sum[i] += static_cast<double>(shard[i]);
  return sum;
}

struct Computed {
  double loss = 0;
  std::vector<double> gradient;
};

Computed on_cpu(const engine::TrainTask& task, const net::NetLayout& layout, const Buffer<float>& start,
                std::span<const rows::RowNumber> batch, unsigned threads) {
  ThreadPool pool(threads);
  engine::TrainStep step(task, layout, pool);
  const double loss = step.gradient(batch, 4, start.data());
  return {loss, summed(step, layout.size)};
}

/// By what every engine shows: with beta1 = 0 Adam's mean, the second part of a state, is the gradient.
Computed on_engine(const engine::Engine& engine, const engine::TrainTask& task, const Buffer<float>& start,
                   std::span<const rows::RowNumber> batch) {
  ThreadPool pool(1);
  const auto network = engine.train(task, start, pool);
  network->step(batch, 4, {});
  const std::vector<float> state = network->state();
  const auto mean = state.begin() + static_cast<std::ptrdiff_t>(start.size());
  return {network->losses().at(0), {mean, mean + static_cast<std::ptrdiff_t>(start.size())}};
}

void expect_gradient_of(const Case& c, const engine::TrainTask& task, const net::NetLayout& layout,
                        const train::TrainingRows& rows, std::span<const rows::RowNumber> batch,
                        const Buffer<float>& start, const Computed& computed);

/// The loss, and the gradient of a complete step, on every engine of this machine.
void expect_gradient(const Case& c, unsigned threads) {
  SCOPED_TRACE(c.name());
  const net::NetLayout layout(c.shape);
  const train::TrainingRows rows = random_rows(c.shape, 23);
  std::vector<rows::RowNumber> batch(19);
  std::iota(batch.begin(), batch.end(), 2u);
  const engine::TrainTask task = task_of(c, rows, batch.size());
  const Buffer<float> start = net::initial_weights(c.shape, layout, {.init_sd = 0.4}, 3, 0);
  expect_gradient_of(c, task, layout, rows, batch, start, on_cpu(task, layout, start, batch, threads));
  if (const engine::Engine* gpu = reference::gpu()) {
    SCOPED_TRACE(gpu->name());
    expect_gradient_of(c, task, layout, rows, batch, start, on_engine(*gpu, task, start, batch));
  }
}

/// Against the slow network: central differences in double precision, along random directions that move all
/// parameters of a tensor.
void expect_gradient_of(const Case& c, const engine::TrainTask& task, const net::NetLayout& layout,
                        const train::TrainingRows& rows, std::span<const rows::RowNumber> batch,
                        const Buffer<float>& start, const Computed& computed) {
  const auto& [loss, gradient] = computed;
  std::vector<double> weights(start.begin(), start.end());
  EXPECT_NEAR(loss, slow::batch_loss(task, layout, weights, rows, batch, 4),
              2e-5 * std::max(1.0, std::fabs(loss)));
  const slow::Push push = c.strata ? slow::batch_push(task, layout, weights, rows, batch, 4) : slow::Push{};
  const auto slow_loss = [&] { return slow::batch_loss(task, layout, weights, rows, batch, 4, push); };
  Stream random(11, Purpose::kTest);
  for (const net::Tensor* tensor : layout.tensors()) {
    const bool constant = tensor == &layout.wave_amplitude;
    for (int tries = 0; tries < 2; ++tries) {
      const double length = std::sqrt(static_cast<double>(tensor->rows * tensor->cols));
      std::vector<double> way(layout.size, 0.0);
      for (std::size_t row = 0; row < tensor->rows; ++row)
        for (std::size_t col = 0; col < tensor->cols; ++col)
          way[tensor->offset + row * tensor->stride + col] = random.normal() / length;
      const std::vector<double> kept = weights;
      const auto loss_at = [&](double length_of_way) {
        for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = kept[i] + length_of_way * way[i];
        return slow_loss();
      };
      const double h = 1e-6, slope = (loss_at(h) - loss_at(-h)) / (2 * h);
      weights = kept;
      EXPECT_NEAR(std::inner_product(gradient.begin(), gradient.end(), way.begin(), 0.0),
                  constant ? 0 : slope, 2e-5 + 1e-3 * std::fabs(slope))
          << tensor->name;
    }
    // Padding has no gradient, so that it stays zero.
    for (std::size_t row = 0; row < tensor->rows; ++row)
      for (std::size_t col = tensor->cols; col < tensor->stride; ++col)
        ASSERT_EQ(gradient[tensor->offset + row * tensor->stride + col], 0.0) << tensor->name;
  }
}

TEST(Step, GradientOfEveryNetworkActivationAndNumberOfTargets) {
  for (Network network : {Network::kDnPlus, Network::kDisco, Network::kPoint})
    for (kernels::Act act : {kernels::Act::kRelu, kernels::Act::kSelu, kernels::Act::kTanh,
                             kernels::Act::kGcu, kernels::Act::kSilu})
      for (std::size_t targets : {std::size_t{1}, std::size_t{3}}) {
        const std::size_t draws = network == Network::kPoint ? 1 : 6;
        expect_gradient({small_shape(network, act, targets), {draws, true, 24}}, 2);
      }
}

TEST(Step, GradientOfEveryNoiseMode) {
  for (std::size_t targets : {std::size_t{1}, std::size_t{3}})
    for (bool stratified : {false, true})
      for (std::size_t grid : {std::size_t{0}, std::size_t{24}})
        for (Network network : {Network::kDnPlus, Network::kDisco})
          expect_gradient({small_shape(network, kernels::Act::kTanh, targets), {7, stratified, grid}}, 2);
}

TEST(Step, GradientOfEveryLoss) {
  for (std::size_t targets : {std::size_t{1}, std::size_t{3}})
    for (double alpha : {0.7, 1.0, 1.6})
      for (bool fair : {false, true})
        expect_gradient(
            {small_shape(Network::kDnPlus, kernels::Act::kTanh, targets), {9, false, 0}, alpha, fair}, 2);
}

/// The default way of training: stratified draws of one noise dimension, and their push within the strata.
TEST(Step, GradientWithStrataThatRepel) {
  for (Network network : {Network::kDnPlus, Network::kDisco})
    for (std::size_t targets : {std::size_t{1}, std::size_t{2}})
      for (std::size_t grid : {std::size_t{0}, std::size_t{24}}) {
        Case c{small_shape(network, kernels::Act::kTanh, targets), {6, true, grid}};
        c.shape.noise_dim = 1;
        c.shape.waves = 3;
        c.strata = true;
        expect_gradient(c, 2);
      }
}

TEST(Step, GradientOfWaves) {
  for (Network network : {Network::kDnPlus, Network::kDisco, Network::kPoint})
    for (std::size_t waves : {1u, 5u, 16u, 24u}) {
      net::NetShape shape = small_shape(network, kernels::Act::kTanh, 1);
      shape.waves = waves;
      expect_gradient({shape, {network == Network::kPoint ? 1u : 6u, true, 24}}, 2);
    }
}

TEST(Step, GradientOfUnusualShapes) {
  net::NetShape shape = small_shape(Network::kDnPlus, kernels::Act::kTanh, 2);
  shape.noise_dim = 5;
  shape.layers = 1;
  expect_gradient({shape, {150, false, 0}}, 2);  // more draws than a tile has rows
  expect_gradient({shape, {70, true, 96}}, 2);   // a tile per row, four shards
  shape.layers = 4;
  shape.width = 33;
  shape.activate_input = false;
  expect_gradient({shape, {3, true, 40}}, 2);
  shape = small_shape(Network::kDisco, kernels::Act::kRelu, 1);
  shape.noise_dim = 20;
  shape.numbers = 0;
  expect_gradient({shape, {4, true, 16}}, 1);
  shape = small_shape(Network::kDnPlus, kernels::Act::kRelu, 1);
  shape.codes = shape.learned_rows = 0;
  expect_gradient({shape, {1, false, 8}}, 1);
}

/// Rounding the factors to 8 bits moves the gradient by less than a percent, in any direction of weights, and
/// the loss hardly at all. Odd numbers of rows and a width that is no multiple of 16 go the same way.
TEST(Step, BfloatsChangeTheGradientLittle) {
  if (!kernels::cpu_level().bfloat) GTEST_SKIP() << "this level has no products of bfloats";
  for (Network network : {Network::kDnPlus, Network::kDisco, Network::kPoint})
    for (std::size_t width : {11u, 64u}) {
      net::NetShape shape = small_shape(network, kernels::Act::kTanh, 2);
      shape.width = width;
      const Case c{shape, {network == Network::kPoint ? 1u : 5u, false, 24}};
      const net::NetLayout layout(shape);
      const train::TrainingRows rows = random_rows(shape, 61);
      std::vector<rows::RowNumber> batch(61);
      std::iota(batch.begin(), batch.end(), 0u);
      const Buffer<float> weights = net::initial_weights(shape, layout, {.init_sd = 0}, 3, 0);
      ThreadPool pool(2);
      double loss[2];
      std::vector<double> gradient[2];
      for (bool bfloat : {false, true}) {
        engine::TrainTask task = task_of(c, rows, batch.size());
        task.bfloat = bfloat;
        engine::TrainStep step(task, layout, pool);
        loss[bfloat] = step.gradient(batch, 0, weights.data());
        gradient[bfloat] = summed(step, layout.size);
      }
      EXPECT_NEAR(loss[1], loss[0], 2e-3 * loss[0]);
      EXPECT_NE(loss[1], loss[0]);
      for (const net::Tensor* tensor : layout.tensors()) {
        double difference = 0, size = 0;
        for (std::size_t i = tensor->offset; i < tensor->offset + tensor->rows * tensor->stride; ++i) {
          difference += std::pow(gradient[1][i] - gradient[0][i], 2);
          size += std::pow(gradient[0][i], 2);
        }
        EXPECT_LE(std::sqrt(difference), 0.02 * std::sqrt(size)) << tensor->name << " width " << width;
      }
    }
}

TEST(Step, ShardsFollowTheTiles) {
  EXPECT_EQ(engine::shard_count(1), 1u);
  EXPECT_EQ(engine::shard_count(4), 1u);
  EXPECT_EQ(engine::shard_count(6), 2u);   // 46 rows of 16 draws, a small table
  EXPECT_EQ(engine::shard_count(25), 4u);  // 200 of 16
  EXPECT_EQ(engine::shard_count(200), 8u);
}

TEST(Step, ShardsDoNotDependOnThreads) {
  const Case c{small_shape(Network::kDnPlus, kernels::Act::kSilu, 1), {16, true, 32}};
  const net::NetLayout layout(c.shape);
  const train::TrainingRows rows = random_rows(c.shape, 250);
  std::vector<rows::RowNumber> batch(250);
  std::iota(batch.begin(), batch.end(), 0u);
  const engine::TrainTask task = task_of(c, rows, batch.size());
  std::vector<std::vector<float>> results;
  for (unsigned threads : {1u, 2u, 7u}) {
    ThreadPool pool(threads);
    engine::TrainStep step(task, layout, pool);
    EXPECT_EQ(step.shards().size(), 8u);
    Buffer<float> weights = net::initial_weights(c.shape, layout, {.init_sd = 0}, 3, 0), m(layout.size),
                  v(layout.size), average(layout.size);
    for (std::uint32_t i = 0; i < 5; ++i) {
      step.gradient(batch, i, weights.data());
      step.update({0.01f, 0.9f, 0.95f, 0.1f, 0.05f, 0.5f},
                  {weights.data(), m.data(), v.data(), average.data()});
    }
    results.emplace_back(average.begin(), average.end());
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

}  // namespace
}  // namespace mirrorball
