#include "calibrate/assess.h"

#include <gtest/gtest.h>

#include <vector>

#include "mirrorball/score.h"

namespace mirrorball {
namespace {

/// Row i has the draws i, i + 1, …, i + 100 and the truth i + `off`.
calibrate::HeldOut ladder(std::size_t rows, double off) {
  calibrate::HeldOut held;
  held.rows = rows;
  held.network.count = 101;
  held.transform = encode::NumberTransform(Transform::kStandard, std::vector<double>{0, 1});
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i <= 100; ++i) held.network.values.push_back(static_cast<float>(row + i));
    held.truth.push_back(static_cast<double>(row) + off);
    held.transformed_truth.push_back(held.truth.back());
    held.weight.push_back(row == 0 ? 0.5 : 1);
  }
  return held;
}

TEST(Assess, SumsAreThoseOfTheRows) {
  ThreadPool pool(2);
  std::vector<double> draws(101);
  for (std::size_t i = 0; i <= 100; ++i) draws[i] = static_cast<double>(i);
  for (const double off : {60.0, 97.0}) {
    const calibrate::Assessment sum = calibrate::assess(ladder(4, off), {}, 101, pool);
    EXPECT_DOUBLE_EQ(sum.weight, 3.5);
    EXPECT_NEAR(sum.crps, 3.5 * crps(draws, off), 1e-9);
    EXPECT_DOUBLE_EQ(sum.error, 3.5 * (off - 50));
    EXPECT_DOUBLE_EQ(sum.width, 3.5 * 90);
    EXPECT_DOUBLE_EQ(sum.inside, off < 95 ? 3.5 : 0);
  }
}

TEST(Assess, GroupsStayTogether) {
  const std::vector<std::uint32_t> groups = {5, 5, 9, 5, 2, 9, 7, 7, 5};
  const std::vector<std::size_t> folds = calibrate::fold_of_rows(9, 3, groups);
  EXPECT_EQ(folds, (std::vector<std::size_t>{0, 0, 2, 0, 1, 2, 1, 1, 0}));
  const std::vector<std::uint32_t> two = {4, 4, 8, 8, 8};
  EXPECT_EQ(calibrate::fold_of_rows(5, 3, two), (std::vector<std::size_t>{1, 1, 0, 0, 0}));
  const std::vector<std::uint32_t> one = {4, 4, 4};
  EXPECT_EQ(calibrate::fold_of_rows(3, 2, one), (std::vector<std::size_t>{0, 1, 0}));
  EXPECT_EQ(calibrate::fold_of_rows(3, 2, {}), (std::vector<std::size_t>{0, 1, 0}));
}

TEST(Assess, NoRowIsCorrectedByItself) {
  ThreadPool pool(1);
  const calibrate::HeldOut rows = ladder(7, 60);
  std::vector<std::vector<double>> seen;
  const calibrate::Assessment sum = calibrate::cross_assess(
      rows, calibrate::fold_of_rows(7, 3, {}), 101,
      [&](const calibrate::HeldOut& others) {
        EXPECT_EQ(others.rows, others.truth.size());
        EXPECT_EQ(others.rows * others.network.count, others.network.values.size());
        seen.push_back(others.truth);
        return Calibration{};
      },
      pool);
  EXPECT_EQ(seen,
            (std::vector<std::vector<double>>{{61, 62, 64, 65}, {60, 62, 63, 65, 66}, {60, 61, 63, 64, 66}}));
  EXPECT_NEAR(sum.crps, calibrate::assess(rows, {}, 101, pool).crps, 1e-9);
}

}  // namespace
}  // namespace mirrorball
