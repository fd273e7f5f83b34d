#include "train/trainer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "net/noise_points.h"
#include "net/step_noise.h"
#include "train/line_data.h"

namespace mirrorball {
namespace {

using line::line_rows, line::line_shape, line::plan_of, line::quick;

train::TrainedNetwork trained(const train::TrainingRows& rows, const Options& options,
                              const ProgressCallback& progress = {}) {
  static const net::NetShape shape = line_shape();
  ThreadPool pool(2);
  return train::train_network(shape, plan_of(options, rows), 0, rows, pool, progress);
}

TEST(Trainer, LearnsAndKeepsTheBestEpoch) {
  const train::TrainedNetwork member = trained(line_rows(800, 200), quick());
  ASSERT_EQ(member.history.valid.size(), 30u);
  const auto best = std::min_element(member.history.valid.begin(), member.history.valid.end());
  EXPECT_EQ(member.history.best_epoch, best - member.history.valid.begin() + 1);
  // The true law N(x, 0.3^2) has an expected CRPS of 0.3 / sqrt(pi) = 0.169; that of the marginal is about
  // 0.59.
  EXPECT_LT(*best, 0.19);
  EXPECT_GT(*best, 0.15);
}

TEST(Trainer, AnEarlyEpochIsKeptWhereTheRestIsClearlyWorse) {
  Options options = quick();
  options.epochs = 300;
  options.batch = 8;
  options.best_after = 0.5;
  train::TrainingRows rows = line_rows(30, 400);
  Stream random(5, Purpose::kTest);
  for (float& target : rows.targets)
    target = static_cast<float>(random.normal());  // only chance to be learned
  const NetworkHistory history = trained(rows, options).history;
  const auto least = std::min_element(history.valid.begin(), history.valid.end());
  ASSERT_LT(1.05 * *least, history.valid[149]) << "the case is not what it should be";
  EXPECT_LT(history.best_epoch, 150);
  EXPECT_LE(history.valid[static_cast<std::size_t>(history.best_epoch) - 1], 1.05 * *least);
}

TEST(Trainer, PatienceStops) {
  Options options = quick();
  options.patience = 3;
  options.learning_rate = 1e-9;  // after the first epochs nothing gets better
  options.epochs = 500;
  options.averaging = 0;
  const NetworkHistory history = trained(line_rows(100, 50), options).history;
  EXPECT_LT(history.valid.size(), 500u);
  EXPECT_EQ(history.valid.size(), static_cast<std::size_t>(history.best_epoch) + 3);
}

TEST(Trainer, WithoutValidationTheLastEpochIsKept) {
  const train::TrainedNetwork member = trained(line_rows(200, 0), quick());
  EXPECT_EQ(member.history.best_epoch, 30);
  EXPECT_EQ(member.history.valid, member.history.train);
}

TEST(Trainer, TheCallbackSeesAllEpochsAndCanStop) {
  int calls = 0;
  const train::TrainedNetwork member = trained(line_rows(400, 100), quick(), [&](const Progress& now) {
    calls += now.epoch_share == 0;
    EXPECT_EQ(now.epochs, 30);
    EXPECT_EQ(now.network, 1);
    return now.epoch < 7;
  });
  EXPECT_EQ(calls, 7);
  EXPECT_TRUE(member.history.stopped);
  EXPECT_EQ(member.history.valid.size(), 7u);
}

TEST(Trainer, TheTimeSlotEndsItWithTheLastWeightsScored) {
  static const net::NetShape shape = line_shape();
  const train::TrainingRows rows = line_rows(400, 100);
  Options options = quick();
  options.epochs = 1000000;
  ThreadPool pool(2);
  const train::TrainedNetwork none =
      train::train_network(shape, plan_of(options, rows), 0, rows, pool, {}, train::TimeSlot(1e-9));
  EXPECT_EQ(none.history.valid.size(), 1u);  // one step, and its score
  const train::TrainedNetwork some =
      train::train_network(shape, plan_of(options, rows), 0, rows, pool, {}, train::TimeSlot(0.3));
  EXPECT_GE(some.history.valid.size(), 1u);
  EXPECT_LT(some.history.valid.size(), 1000000u);
  EXPECT_FALSE(some.history.stopped);
}

TEST(Trainer, DivergenceIsSaidOrSurvived) {
  train::TrainingRows rows = line_rows(100, 20);
  rows.targets[3] = INFINITY;
  try {
    trained(rows, quick());
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("lower the learning rate (it is 0.005)"), std::string::npos);
  }
}

TEST(Trainer, ARowOfWeightZeroDoesNotMatter) {
  train::TrainingRows rows = line_rows(200, 50);
  rows.weights[7] = 0.0f;
  const train::TrainedNetwork first = trained(rows, quick());
  rows.targets[7] = 1000.0f;
  const train::TrainedNetwork second = trained(rows, quick());
  EXPECT_EQ(std::vector<float>(first.weights.begin(), first.weights.end()),
            std::vector<float>(second.weights.begin(), second.weights.end()));
}

TEST(StepNoise, StratifiedRowsTakeOneFromEachPart) {
  const net::StepNoise plan{16, true, 250};
  std::vector<std::uint32_t> index(16);
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    Stream random(seed, Purpose::kTest);
    net::choose_rows(plan, 1, random, index);
    for (std::size_t n = 0; n < 16; ++n) {
      EXPECT_GE(index[n], 250 * n / 16);
      EXPECT_LT(index[n], 250 * (n + 1) / 16);
    }
    net::choose_rows(plan, 2, random, index);
    for (std::size_t n = 1; n < 16; ++n) EXPECT_EQ(index[n], (index[n - 1] + 1) % 250);
    net::choose_rows({16, false, 250}, 1, random, index);
    for (std::uint32_t row : index) EXPECT_LT(row, 250u);
  }
}

/// Every point alone is uniform, and spread points fill the cube more evenly than independent ones do.
TEST(NoisePoints, AreUniformAndEven) {
  for (std::size_t dims : {1u, 2u, 3u, 20u}) {
    const std::size_t count = 64, rounds = 400;
    std::vector<double> mean(count * dims, 0.0);
    double spread_of_means = 0;
    for (std::uint32_t round = 0; round < rounds; ++round) {
      std::vector<float> points(count * dims);
      Stream random(round, Purpose::kTest);
      net::spread_points(random, dims, points);
      double average = 0;
      for (std::size_t i = 0; i < points.size(); ++i) {
        ASSERT_TRUE(points[i] >= 0 && points[i] < 1);
        mean[i] += static_cast<double>(points[i]) / rounds;
        average += static_cast<double>(points[i]) / static_cast<double>(points.size());
      }
      spread_of_means += (average - 0.5) * (average - 0.5) / rounds;
    }
    for (std::size_t i = 0; i < mean.size(); ++i) {
      const double cell =
          (static_cast<double>(i) + 0.5) / static_cast<double>(count);  // one dimension: point i has its own
      EXPECT_NEAR(mean[i], dims == 1 ? cell : 0.5, dims == 1 ? 0.002 : 0.09);
    }
    const double independent = 1.0 / 12 / static_cast<double>(count * dims);
    if (dims <= net::kLatticeDims) {
      EXPECT_LT(spread_of_means, 0.2 * independent) << dims;
    } else {
      EXPECT_NEAR(spread_of_means, independent, 0.3 * independent);
    }
  }
}

TEST(NoisePoints, OneDimensionHasOnePointInEachCell) {
  std::vector<float> points(50);
  Stream random(3, Purpose::kTest);
  net::spread_points(random, 1, points);
  for (std::size_t i = 0; i < 50; ++i) EXPECT_EQ(static_cast<std::size_t>(points[i] * 50.0f), i);
  net::grid_points(random, 1, points);
  for (std::size_t i = 1; i < 50; ++i) EXPECT_NEAR(points[i] - points[i - 1], 0.02f, 1e-6f);
}

TEST(TrainingRows, NetworksLeaveOutOneFoldAfterTheOther) {
  train::TrainingRows rows;
  rows.folds = {{0, 3}, {1, 4}, {2, 5}};
  const auto split = rows.split_of(4);
  EXPECT_EQ(split.valid, (std::vector<rows::RowNumber>{1, 4}));
  EXPECT_EQ(split.train, (std::vector<rows::RowNumber>{0, 2, 3, 5}));
}

}  // namespace
}  // namespace mirrorball
