#include "train/category_start.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "train/line_data.h"
#include "train/trainer.h"

namespace mirrorball {
namespace {

/// One category of `levels` levels, taken in turn, whose target is sin(level) + noise, and one empty number
/// column.
train::TrainingRows level_rows(std::size_t count, std::size_t train, std::size_t levels) {
  train::TrainingRows rows;
  rows.inputs = rows::EncodedRows(count, 0, 1);
  rows.targets = Buffer<float>(count);
  rows.weights = Buffer<float>(count);
  Stream random(2, Purpose::kTest);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t level = random.below(static_cast<std::uint32_t>(levels));
    rows.inputs.codes[i] = static_cast<std::int32_t>(level);
    rows.targets[i] = static_cast<float>(std::sin(level) + 0.3 * random.normal());
    rows.weights[i] = static_cast<float>(0.5 + random.uniform());
    (i < train ? rows.train : rows.valid).push_back(static_cast<std::uint32_t>(i));
  }
  return rows;
}

net::NetShape level_shape(std::size_t levels) {
  net::NetShape shape;
  shape.codes = 1;
  shape.learned_rows = levels;
  shape.width = 16;
  shape.cosines = 16;
  return shape;
}

TEST(CategoryStart, RowsLieOnALineByTheLevelsTargets) {
  constexpr std::size_t kLevels = 5;
  const train::TrainingRows rows = level_rows(300, 250, kLevels);
  const net::NetShape shape = level_shape(kLevels);
  const net::NetLayout layout(shape);
  Buffer<float> weights(layout.size);  // zeros: only the line is left
  train::CategoryStart(shape, rows, rows.train).apply(layout, 7, 0, weights.data());

  double mean = 0, weight = 0;
  for (std::uint32_t row : rows.train) {
    mean += static_cast<double>(rows.weights[row]) * rows.targets[row];
    weight += rows.weights[row];
  }
  mean /= weight;
  std::vector<double> sum(kLevels), mass(kLevels);
  for (std::uint32_t row : rows.train) {
    const auto level = static_cast<std::size_t>(rows.inputs.codes[row]);
    sum[level] += rows.weights[row] * (rows.targets[row] - mean);
    mass[level] += rows.weights[row];
  }
  double square = 0;
  for (std::size_t l = 0; l < kLevels; ++l) {
    sum[l] /= mass[l] + 10;
    square += mass[l] * sum[l] * sum[l] / weight;
  }
  const net::Tensor& tensor = layout.learned_rows;
  for (std::size_t col = 0; col < tensor.cols; ++col) {
    const double slope = tensor.in(weights.data())[col] * std::sqrt(square) / sum[0];
    EXPECT_LE(std::abs(slope), 2.0);  // one code is one input: fresh rows lie in +-1
    for (std::size_t l = 0; l < kLevels; ++l)
      EXPECT_NEAR(tensor.in(weights.data())[l * tensor.stride + col], slope * sum[l] / std::sqrt(square),
                  1e-5);
  }
}

TEST(CategoryStart, ColumnsOfOneRowAndLevelsWithoutRowsKeepTheirStart) {
  const train::TrainingRows rows = level_rows(60, 60, 1);
  const net::NetShape one = level_shape(1);
  const net::NetLayout layout(one);
  Buffer<float> weights = net::initial_weights(one, layout, {}, 3, 0),
                before = net::initial_weights(one, layout, {}, 3, 0);
  train::CategoryStart(one, rows, rows.train).apply(layout, 3, 0, weights.data());
  EXPECT_TRUE(std::equal(weights.begin(), weights.end(), before.begin()));

  const net::NetShape three = level_shape(3);  // the third level is in no training row
  const net::NetLayout wider(three);
  Buffer<float> start = net::initial_weights(three, wider, {}, 3, 0),
                fresh = net::initial_weights(three, wider, {}, 3, 0);
  const train::TrainingRows others = level_rows(60, 60, 2);
  train::CategoryStart(three, others, others.train).apply(wider, 3, 0, start.data());
  const std::size_t stride = wider.learned_rows.stride, at = wider.learned_rows.offset;
  EXPECT_NE(start[at], fresh[at]);
  EXPECT_TRUE(std::equal(start.begin() + at + 2 * stride, start.begin() + at + 3 * stride,
                         fresh.begin() + at + 2 * stride));
}

TEST(CategoryStart, ManyLevelsOfFewRowsAreLearnedBetter) {
  constexpr std::size_t kLevels = 100;
  const train::TrainingRows rows = level_rows(1200, 800, kLevels);
  const net::NetShape shape = level_shape(kLevels);
  ThreadPool pool(2);
  const auto best_score = [&](bool ordered) {
    Options options = line::quick();
    options.order_categories = ordered;
    double sum = 0;
    for (std::uint32_t member = 0; member < 3; ++member) {
      const NetworkHistory history =
          train::train_network(shape, line::plan_of(options, rows), member, rows, pool, {}).history;
      sum += *std::min_element(history.valid.begin(), history.valid.end());
    }
    return sum / 3;
  };
  EXPECT_LT(best_score(true), 0.95 * best_score(false));
}

}  // namespace
}  // namespace mirrorball
