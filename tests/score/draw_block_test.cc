#include "mirrorball/draw_block.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "mirrorball/score.h"
#include "predictive/refusal.h"
#include "score/slow_scores.h"

namespace mirrorball {
namespace {

constexpr std::size_t kRows = 37, kSamples = 23, kTargets = 3;  // more than one task, nothing round

std::vector<double> row_of(const std::vector<double>& draws, std::size_t row) {
  const auto begin = draws.begin() + static_cast<std::ptrdiff_t>(row * kSamples * kTargets);
  return {begin, begin + kSamples * kTargets};
}

std::vector<double> column_of(const std::vector<double>& joint, std::size_t target) {
  std::vector<double> column;
  for (std::size_t i = target; i < joint.size(); i += kTargets) column.push_back(joint[i]);
  return column;
}

struct Block : ::testing::TestWithParam<unsigned> {
  std::vector<double> draws = slow::normals(kRows * kSamples * kTargets, 81, 1, 2);
  std::vector<double> observed = slow::normals(kRows * kTargets, 82, 1, 2);
  DrawBlock block{draws, kRows, kSamples, kTargets, GetParam()};
};

TEST_P(Block, IsTheScoresRowByRow) {
  std::size_t floored = 0;
  const std::vector<double> crps = block.crps(observed), fair = block.crps(observed, true),
                            pit = block.pit(observed), nll = block.kde_nll(observed, &floored),
                            energy = block.energy_score(observed), joint = block.joint_kde_nll(observed);
  EXPECT_EQ(floored, 0u);
  for (std::size_t row = 0; row < kRows; ++row) {
    const std::vector<double> all = row_of(draws, row);
    const std::span<const double> y(&observed[row * kTargets], kTargets);
    EXPECT_EQ(energy[row], mirrorball::energy_score(all, y));
    EXPECT_EQ(joint[row], mirrorball::kde_nll(all, y));
    for (std::size_t k = 0; k < kTargets; ++k) {
      const std::vector<double> column = column_of(all, k);
      const std::size_t place = row * kTargets + k;
      EXPECT_EQ(crps[place], mirrorball::crps(column, y[k]));
      EXPECT_EQ(fair[place], mirrorball::crps(column, y[k], true));
      EXPECT_EQ(pit[place], mirrorball::pit(column, y[k]));
      EXPECT_EQ(nll[place], mirrorball::kde_nll(column, y.subspan(k, 1)));
    }
  }
}

TEST_P(Block, QuantilesAreThePredictives) {
  const std::vector<double> levels = {0, 0.05, 0.5, 0.95, 1};
  const std::vector<double> quantiles = block.quantiles(levels);
  Predictive same(kRows, kSamples, {"a", "b", "c"});
  for (std::size_t row = 0; row < kRows; ++row)
    for (std::size_t k = 0; k < kTargets; ++k) {
      const std::vector<double> column = column_of(row_of(draws, row), k);
      std::copy(column.begin(), column.end(), same.draws(row, k).begin());
      const std::vector<double> expected = same.quantiles(levels, row, k);
      for (std::size_t i = 0; i < levels.size(); ++i)
        EXPECT_EQ(quantiles[(row * kTargets + k) * levels.size() + i], expected[i]);
    }
}

TEST_P(Block, LogDensityIsTheNllOfPoints) {
  const std::vector<double> found = block.log_density(4, observed);
  for (std::size_t i = 0; i < kRows; ++i)
    EXPECT_EQ(found[i],
              -mirrorball::kde_nll(row_of(draws, 4), std::span(observed).subspan(i * kTargets, kTargets)));
}

INSTANTIATE_TEST_SUITE_P(Threads, Block, ::testing::Values(0u, 1u, 3u));

TEST(DrawBlock, CountsRowsWithoutSpread) {
  const std::vector<double> draws = {2, 2, 2, 1, 2, 3}, observed = {2, 2};
  std::size_t floored = 0;
  const std::vector<double> nll = DrawBlock(draws, 2, 3, 1).kde_nll(observed, &floored);
  EXPECT_EQ(floored, 1u);
  EXPECT_TRUE(std::isfinite(nll[0]));
}

// scipy.stats.energy_distance([-.5, .25, 1.5, 3], [0, .75, .75, 2, 4.5]) and wasserstein_distance, scipy
// 1.17.1. Five cells of width 1 from -0.5 on hold shares (2, 0, 1, 1, 0)/4 and (1, 2, 1, 0, 1)/5.
TEST(DrawBlock, DistancesOfSamplesAreScipys) {
  const std::vector<double> a = {-0.5, 0.25, 1.5, 3}, b = {0, 0.75, 0.75, 2, 4.5};
  const Distances found = DrawBlock(a, 1, 4, 1).distances(DrawBlock(b, 1, 5, 1), 5)[0];
  EXPECT_NEAR(found.wasserstein, 0.7875, 1e-14);
  EXPECT_NEAR(found.energy, 0.5623610939600996, 1e-14);
  const double overlap = std::sqrt(0.5 * 0.2) + std::sqrt(0.25 * 0.2);
  EXPECT_NEAR(found.hellinger, std::sqrt(1 - overlap), 1e-12);
}

TEST(DrawBlock, DistancesInThePlane) {
  std::vector<double> a = slow::normals(2 * 300, 83), b = a;
  Distances found = DrawBlock(a, 1, 300, 2).distances(DrawBlock(b, 1, 300, 2), 10)[0];
  EXPECT_EQ(found.jsd + found.hellinger + found.wasserstein, 0);
  EXPECT_NEAR(found.energy, 0, 1e-6);
  for (std::size_t i = 0; i < b.size(); i += 2) b[i] += 100;
  found = DrawBlock(a, 1, 300, 2).distances(DrawBlock(b, 1, 300, 2), 10)[0];
  EXPECT_NEAR(found.jsd, 1, 1e-12);
  EXPECT_NEAR(found.hellinger, 1, 1e-12);
  EXPECT_NEAR(found.wasserstein, 100 / (32 * std::tan(std::acos(-1.0) / 64)), 1e-9);  // mean of |cos|
}

TEST(DrawBlock, DistancesToALawAreTheLaws) {
  const Law& law = Law::named("crossing");
  const std::vector<double> x = {-0.5, 1}, draws = law.sample(x, 100, 3);
  const std::vector<Distances> found = DrawBlock(draws, 2, 100, 1).distances(law, x);
  for (std::size_t i = 0; i < 2; ++i) {
    const Distances expected = law.distances(x[i], std::span(draws).subspan(100 * i, 100));
    EXPECT_EQ(found[i].jsd, expected.jsd);
    EXPECT_EQ(found[i].energy, expected.energy);
  }
}

TEST(DrawBlock, RefusesWithBothNumbers) {
  std::vector<double> draws(12, 1.0);
  EXPECT_EQ(refusal([&] { DrawBlock(draws, 2, 3, 3); }), "12 numbers are not 2 rows of 3 draws of 3 targets");
  EXPECT_EQ(refusal([&] { DrawBlock(draws, 2, 3, 2).crps(std::vector{1.0}); }),
            "1 observed values, the draws are of 2 rows of 2 targets");
  EXPECT_NE(refusal([&] { DrawBlock(draws, 2, 6, 1).quantiles(std::vector{1.5}); }), "");
  EXPECT_NE(refusal([&] { DrawBlock(draws, 12, 1, 1).crps(draws, true); }), "");
  EXPECT_NE(refusal([&] { DrawBlock(draws, 1, 4, 3).distances(DrawBlock(draws, 1, 4, 3), 5); }), "");
  draws[7] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal([&] { DrawBlock(draws, 2, 3, 2); }),
            "draw 0 of 3 for target 1 in row 1 is nan, not a finite number");
}

}  // namespace
}  // namespace mirrorball
