#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <thread>

#include "engine/engine.h"
#include "net/noise_points.h"
#include "reference/gpu.h"
#include "train/training_rows.h"

/// The GPU beside the CPU: the same batches, noise and formulas, so the same numbers but for rounding.
namespace mirrorball {
namespace {

constexpr std::size_t kRows = 300, kBatch = 100;

class Cuda : public testing::Test {
 protected:
  void SetUp() override {
    if (!reference::gpu()) GTEST_SKIP() << "there is no GPU, or no libmirrorball_cuda.so";
  }
};

/// The default network, or others, for a table with categories and missing values.
net::NetShape shape_of(Network network, std::size_t targets) {
  net::NetShape shape;
  shape.network = network;
  shape.numbers = 5;
  shape.codes = 2;
  shape.learned_rows = 7;
  shape.waves = 24;
  shape.targets = targets;
  shape.noise_dim = network == Network::kPoint ? 0 : targets;
  return shape;
}

train::TrainingRows table_for(const net::NetShape& shape) {
  Stream random(5, Purpose::kTest);
  train::TrainingRows rows;
  rows.inputs = rows::EncodedRows(kRows, shape.numbers, shape.codes);
  rows.targets = Buffer<float>(kRows * shape.targets);
  rows.weights = Buffer<float>(kRows);
  for (float& value : rows.inputs.numbers) value = static_cast<float>(random.normal());
  for (std::int32_t& code : rows.inputs.codes) code = static_cast<std::int32_t>(random.below(8)) - 1;
  for (std::size_t row = 0; row < kRows; ++row)
    for (std::size_t t = 0; t < shape.targets; ++t)
      rows.targets[row * shape.targets + t] =
          rows.inputs.numbers[row * shape.numbers] + 0.3f * static_cast<float>(random.normal());
  for (float& value : rows.weights) value = 0.5f + random.uniform();
  rows.train.resize(kRows);
  std::iota(rows.train.begin(), rows.train.end(), 0u);
  rows.valid.assign(rows.train.begin() + 200, rows.train.end());
  return rows;
}

engine::TrainTask task_for(const net::NetShape& shape, const train::TrainingRows& rows) {
  engine::TrainTask task;
  task.shape = shape;
  task.seed = 3;
  task.network = 1;
  const bool one = shape.targets == 1 && shape.noisy();
  task.noise = {shape.noisy() ? one ? 6u : 16u : 1u, one, one ? 64u : 256u};
  task.loss = kernels::EnergyScore::make(task.noise.draws, shape.targets, 1.0, false);
  task.loss.strata = one;
  task.largest_batch = kBatch;
  task.rows = &rows;
  task.validation = rows.valid;
  return task;
}

struct Trained {
  std::vector<double> losses;
  std::vector<float> state;
  double score = 0;
};

Trained train_some(const engine::Engine& engine, const engine::TrainTask& task, std::uint32_t steps) {
  ThreadPool pool(1);
  const net::NetLayout layout(task.shape);
  const auto network = engine.train(task, net::initial_weights(task.shape, layout, {}, 1, 0), pool);
  std::vector<rows::RowNumber> batch(kBatch);
  for (std::uint32_t step = 0; step < steps; ++step) {
    for (std::size_t i = 0; i < kBatch; ++i)
      batch[i] = static_cast<rows::RowNumber>((step * 77 + i * 13) % 200);
    const auto t = static_cast<double>(step + 1);
    network->step(batch, step,
                  {1e-3f, 0.9f, 0.95f, static_cast<float>(1 - std::pow(0.9, t)),
                   static_cast<float>(1 - std::pow(0.95, t)), 0.9f});
  }
  Trained trained{network->losses(), network->state(), network->validate()};
  return trained;
}

/// How far apart two lists are, as a share of the length of the second.
double distance(std::span<const float> one, std::span<const float> other) {
  double difference = 0, length = 0;
  for (std::size_t i = 0; i < other.size(); ++i) {
    difference += std::pow(static_cast<double>(one[i]) - static_cast<double>(other[i]), 2);
    length += std::pow(static_cast<double>(other[i]), 2);
  }
  return std::sqrt(difference / length);
}

TEST_F(Cuda, TrainsAsTheCpuDoes) {
  for (Network network : {Network::kDnPlus, Network::kDisco, Network::kPoint})
    for (std::size_t targets : {std::size_t{1}, std::size_t{2}}) {
      const net::NetShape shape = shape_of(network, targets);
      const train::TrainingRows rows = table_for(shape);
      const engine::TrainTask task = task_for(shape, rows);
      const Trained cpu = train_some(engine::default_engine(), task, 20),
                    gpu = train_some(*reference::gpu(), task, 20);
      SCOPED_TRACE(testing::Message() << "network " << static_cast<int>(network) << " targets " << targets);
      ASSERT_EQ(gpu.losses.size(), cpu.losses.size());
      for (std::size_t i = 0; i < cpu.losses.size(); ++i)
        EXPECT_NEAR(gpu.losses[i], cpu.losses[i], (i == 0 ? 1e-5 : 2e-3) * cpu.losses[i]) << i;
      EXPECT_NEAR(gpu.score, cpu.score, 2e-3 * cpu.score);
      const std::size_t size = net::NetLayout(shape).size;
      EXPECT_LE(distance(std::span(gpu.state).first(size), std::span(cpu.state).first(size)), 5e-3);
    }
}

/// Factors of 8 bits move the losses of the first steps by less than a percent: with a noise table and where
/// every draw has noise of its own.
TEST_F(Cuda, BfloatsChangeLittle) {
  for (std::size_t targets : {std::size_t{1}, std::size_t{2}})
    for (bool table : {true, false}) {
      SCOPED_TRACE(testing::Message() << targets << " targets, table " << table);
      const net::NetShape shape = shape_of(Network::kDnPlus, targets);
      const train::TrainingRows rows = table_for(shape);
      engine::TrainTask task = task_for(shape, rows);
      if (!table) task.noise.grid = 0;
      const Trained exact = train_some(*reference::gpu(), task, 20);
      task.bfloat = true;
      const Trained rounded = train_some(*reference::gpu(), task, 20);
      EXPECT_NE(exact.losses[0], rounded.losses[0]);
      for (std::size_t i = 0; i < exact.losses.size(); ++i)
        EXPECT_NEAR(rounded.losses[i], exact.losses[i], (i == 0 ? 2e-3 : 2e-2) * exact.losses[i]) << i;
      const std::size_t size = net::NetLayout(shape).size;
      EXPECT_LE(distance(std::span(rounded.state).first(size), std::span(exact.state).first(size)), 0.05);
    }
}

/// Long enough for the queue of steps to be filled several times.
TEST_F(Cuda, SameSeedSameBits) {
  for (bool bfloat : {false, true}) {
    const net::NetShape shape = shape_of(Network::kDnPlus, 1);
    const train::TrainingRows rows = table_for(shape);
    engine::TrainTask task = task_for(shape, rows);
    task.bfloat = bfloat;
    const Trained alone = train_some(*reference::gpu(), task, 200);
    std::vector<Trained> together(6);
    {
      std::vector<std::jthread> threads;
      for (Trained& one : together)
        threads.emplace_back([&] { one = train_some(*reference::gpu(), task, 200); });
    }
    EXPECT_EQ(alone.losses.size(), 200u);
    for (const Trained& one : together) {
      EXPECT_EQ(one.losses, alone.losses);
      EXPECT_EQ(one.state, alone.state);
      EXPECT_EQ(one.score, alone.score);
    }
  }
}

TEST_F(Cuda, GoesOnFromAState) {
  const net::NetShape shape = shape_of(Network::kDnPlus, 1);
  const train::TrainingRows rows = table_for(shape);
  const engine::TrainTask task = task_for(shape, rows);
  ThreadPool pool(1);
  const Buffer<float> start = net::initial_weights(shape, net::NetLayout(shape), {}, 1, 0);
  const auto first = reference::gpu()->train(task, start, pool),
             second = reference::gpu()->train(task, start, pool);
  const std::span<const rows::RowNumber> batch = std::span(rows.train).first(kBatch);
  const kernels::AdamStep update{1e-3f, 0.9f, 0.95f, 0.1f, 0.05f, 0.9f};
  for (std::uint32_t step = 0; step < 5; ++step) first->step(batch, step, update);
  first->keep_best();
  second->restore(first->state());
  first->step(batch, 5, update);
  second->step(batch, 5, update);
  EXPECT_EQ(second->state(), first->state());
  EXPECT_THROW(second->restore(std::vector<float>(3)), std::runtime_error);
}

TEST_F(Cuda, DrawsWhatTheCpuDraws) {
  for (Network network : {Network::kDnPlus, Network::kDisco, Network::kPoint})
    for (std::size_t targets : {std::size_t{1}, std::size_t{2}}) {
      const net::NetShape shape = shape_of(network, targets);
      const train::TrainingRows rows = table_for(shape);
      const net::NetLayout layout(shape);
      std::vector<Buffer<float>> weights;
      std::vector<engine::NoisePoints> points;
      for (std::uint32_t i = 0; i < 3; ++i) {
        weights.push_back(net::initial_weights(shape, layout, {}, 1, i));
        const std::size_t count = shape.noisy() ? 33 + i : 1;
        Stream random(7, Purpose::kTest, i);
        points.push_back({count, std::vector<float>(count * shape.noise_dim)});
        net::independent_points(random, points.back().values);
      }
      ThreadPool pool(1);
      const auto draws = [&](const engine::Engine& engine, std::span<const rows::RowNumber> which) {
        const auto drawer = engine.draw(shape, weights);
        return drawer->draw(*drawer->embed(points), rows, which, pool);
      };
      const Buffer<float> cpu = draws(engine::default_engine(), rows.valid),
                          gpu = draws(*reference::gpu(), rows.valid);
      ASSERT_EQ(gpu.size(), cpu.size());
      EXPECT_LE(distance(gpu.span(), cpu.span()), 1e-5) << static_cast<int>(network) << " " << targets;
      // A row's draws do not depend on the other rows.
      const Buffer<float> one = draws(*reference::gpu(), std::span(rows.valid).subspan(17, 1));
      EXPECT_TRUE(
          std::equal(one.begin(), one.end(), gpu.begin() + static_cast<std::ptrdiff_t>(17 * one.size())));
    }
}

}  // namespace
}  // namespace mirrorball
