#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "boost/fit_boosted.h"
#include "boost/tree_grower.h"
#include "reference/refusal.h"

namespace mirrorball::boost {
namespace {

/// Two numbers and one code of five categories; the target has steps along one number and by category.
struct Data {
  rows::EncodedRows rows;
  std::vector<float> targets, weights;

  explicit Data(std::size_t count, std::uint64_t seed = 1)
      : rows(count, 2, 1), targets(count), weights(count, 1.0f) {
    Stream random(seed, Purpose::kTest);
    for (std::size_t i = 0; i < count; ++i) {
      rows.numbers[2 * i] = 2 * random.uniform() - 1;
      rows.numbers[2 * i + 1] = random.uniform();
      rows.codes[i] = static_cast<std::int32_t>(random.below(6)) - 1;
      targets[i] = truth(i) + 0.1f * static_cast<float>(random.normal());
      weights[i] = 0.5f + random.uniform();
    }
  }

  float truth(std::size_t row) const {
    return std::floor(3 * rows.numbers[2 * row]) + (rows.codes[row] == 3 ? 2.0f : 0.0f);
  }

  FittedBoost fit(unsigned threads, const BoostPlan& plan) const {
    std::vector<std::vector<rows::RowNumber>> folds(3);
    for (rows::RowNumber row = 0; row < targets.size(); ++row)
      if (row % 10 != 9) folds[row % 3].push_back(row);  // a tenth is in no fold
    const std::vector<std::uint32_t> columns = {0, 1};
    ThreadPool pool(threads);
    return fit_boosted({rows, targets, 1, 0, weights, columns, 5}, folds, plan, 7, pool);
  }
};

TEST(Boost, CutsLieBetweenTheValues) {
  const std::vector<float> cuts = cuts_of({3, 1, 1, 2, 3, 8});
  EXPECT_EQ(cuts, (std::vector<float>{1.5f, 2.5f, 5.5f}));
  EXPECT_EQ(bin_of(cuts, -7), 0);
  EXPECT_EQ(bin_of(cuts, 1.5f), 0) << "a cut belongs to the bin below it";
  EXPECT_EQ(bin_of(cuts, 2), 1);
  EXPECT_EQ(bin_of(cuts, 9), 3);
  EXPECT_TRUE(cuts_of({4, 4, 4}).empty());
  const float next = std::nextafter(1.0f, 2.0f);
  EXPECT_EQ(cuts_of({1, next}), std::vector<float>{1}) << "nothing lies between neighbouring floats";
}

TEST(Boost, ManyValuesHaveBinsOfEqualSize) {
  std::vector<float> values(10000);
  Stream random(1, Purpose::kTest);
  for (float& value : values) value = static_cast<float>(random.normal());
  const std::vector<float> cuts = cuts_of(values);
  ASSERT_LE(cuts.size(), kMostBins - 1);
  ASSERT_GE(cuts.size(), 200u);
  std::vector<int> rows_of(cuts.size() + 1);
  for (const float value : values) ++rows_of[bin_of(cuts, value)];
  for (const int rows : rows_of) EXPECT_LE(rows, 40);
}

/// The best split of some rows by trying all, in double precision.
struct SlowSplit {
  double gain = 0;
  std::size_t column = 0, bin = 0;
};

struct SlowTree {
  const BinnedRows& rows;
  std::span<const float> residuals, weights;
  const TreePlan& plan;

  std::pair<double, double> sums(const std::vector<std::uint32_t>& which) const {
    double sum = 0, weight = 0;
    for (const std::uint32_t row : which) {
      sum += double(weights[row]) * double(residuals[row]);
      weight += double(weights[row]);
    }
    return {sum, weight};
  }
  double score(const std::vector<std::uint32_t>& which) const {
    const auto [sum, weight] = sums(which);
    return sum * sum / (weight + plan.shrinkage);
  }
  std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>> parts(
      const std::vector<std::uint32_t>& which, std::size_t column, std::size_t bin) const {
    std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>> sides;
    for (const std::uint32_t row : which)
      (rows.row(row)[column] <= bin ? sides.first : sides.second).push_back(row);
    return sides;
  }
  SlowSplit best(const std::vector<std::uint32_t>& which) const {
    SlowSplit found;
    for (std::size_t column = 0; column < rows.columns(); ++column)
      for (std::size_t bin = 0; bin < rows.cuts[column].size(); ++bin) {
        const auto [left, right] = parts(which, column, bin);
        if (sums(left).second < plan.shape.least_leaf || sums(right).second < plan.shape.least_leaf) continue;
        const double gain = score(left) + score(right) - score(which);
        if (gain > found.gain) found = {gain, column, bin};
      }
    return found;
  }
  /// What a tree of so many leaves adds to each row.
  std::vector<double> forecast(std::vector<std::uint32_t> all, std::size_t count) const {
    std::vector<std::vector<std::uint32_t>> leaves = {std::move(all)};
    while (leaves.size() < plan.shape.leaves) {
      std::size_t which = 0;
      SlowSplit most;
      for (std::size_t i = 0; i < leaves.size(); ++i)
        if (const SlowSplit split = best(leaves[i]); split.gain > most.gain) most = split, which = i;
      if (!(most.gain > 0)) break;
      auto [left, right] = parts(leaves[which], most.column, most.bin);
      leaves[which] = std::move(left);
      leaves.push_back(std::move(right));
    }
    std::vector<double> out(count);
    for (const auto& leaf : leaves) {
      const auto [sum, weight] = sums(leaf);
      for (const std::uint32_t row : leaf) out[row] = plan.rate * sum / (weight + plan.shrinkage);
    }
    return out;
  }
};

TEST(Boost, ATreeIsThatOfASlowSearch) {
  Stream random(3, Purpose::kTest);
  const std::size_t count = 300;
  BinnedRows rows{{cuts_of({0, 1, 2, 3, 4, 5}), cuts_of({0, 1}), {}}, std::vector<std::uint8_t>(3 * count)};
  std::vector<float> residuals(count), weights(count);
  for (std::size_t i = 0; i < count; ++i) {
    rows.bins[3 * i] = static_cast<std::uint8_t>(random.below(6));
    rows.bins[3 * i + 1] = static_cast<std::uint8_t>(random.below(2));
    residuals[i] = static_cast<float>(rows.bins[3 * i] * (rows.bins[3 * i + 1] ? 1 : -2) + random.normal());
    weights[i] = 0.5f + random.uniform();
  }
  const TreePlan plan{.shape = {.leaves = 7, .least_leaf = 10, .share = 1}};
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0u);
  BoostedTrees trees{.nodes = {}, .roots = {}, .fold_begin = {0, 1}, .starts = {0}, .code_values = {}};
  std::vector<float> forecast(count);
  TreeGrower(rows, plan).grow(all, residuals, weights, random, trees, forecast);
  const std::vector<double> slow = SlowTree{rows, residuals, weights, plan}.forecast(all, count);
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_NEAR(forecast[i], slow[i], 1e-5);
    const std::vector<float> numbers = {float(rows.bins[3 * i]), float(rows.bins[3 * i + 1]), 0};
    EXPECT_EQ(static_cast<float>(trees.mean(numbers, {})), forecast[i]) << "by bins and by values";
  }
  EXPECT_EQ(trees.nodes.size(), 13u);
}

TEST(Boost, LearnsStepsAndCategories) {
  const Data data(3000);
  const FittedBoost fitted = data.fit(2, {.rounds = 200});
  const Data fresh(1000, 2);
  double error = 0;
  for (std::size_t row = 0; row < 1000; ++row) {
    const double mean = fitted.trees.mean({&fresh.rows.numbers[2 * row], 2}, {&fresh.rows.codes[row], 1});
    error += std::abs(mean - double(fresh.truth(row))) / 1000;
  }
  EXPECT_LT(error, 0.06) << "the noise has a standard deviation of 0.1, the target one of 2";
}

TEST(Boost, AHeldOutMeanHasNotSeenItsRow) {
  Data data(600);
  const BoostPlan plan{.rounds = 10};
  const auto mean_of = [&](std::size_t row) { return data.fit(1, plan).held_out_mean(data.rows, row); };
  for (const std::size_t row : {4u, 9u}) {  // in a fold, and in none
    const double before = mean_of(row);
    data.targets[row] += 3;
    EXPECT_EQ(mean_of(row), before);
    data.targets[row] -= 3;
  }
  const double before = mean_of(4);
  data.targets[5] += 3;  // of another fold
  EXPECT_NE(mean_of(4), before);
}

TEST(Boost, RowsOfWeight0AreNotSeen) {
  Data data(600);
  for (std::size_t row = 0; row < 600; row += 4) data.weights[row] = 0;
  const BoostedTrees before = data.fit(2, {.rounds = 20}).trees;
  for (std::size_t row = 0; row < 600; row += 4) data.targets[row] = 1000;
  EXPECT_EQ(data.fit(2, {.rounds = 20}).trees, before);
}

TEST(Boost, AsManyThreadsAsOne) {
  const Data data(800);
  EXPECT_EQ(data.fit(1, {.rounds = 30}).trees, data.fit(3, {.rounds = 30}).trees);
}

TEST(Boost, StopsWhereTheHeldOutErrorIsLowest) {
  Data data(400);
  Stream random(9, Purpose::kTest);
  for (float& target : data.targets) target = static_cast<float>(random.normal());
  EXPECT_LT(data.fit(2, {.rounds = 300, .patience = 20}).trees.roots.size(), 60u)
      << "there is nothing to learn";
}

TEST(Boost, DamagedTreesAreRefused) {
  const BoostedTrees good = Data(400).fit(1, {.rounds = 3}).trees;
  good.check(2, 1, 5);
  const auto refused = [&](const char* words, auto change) {
    BoostedTrees bad = good;
    change(bad);
    EXPECT_NE(refusal([&] { bad.check(2, 1, 5); }).find(words), std::string::npos) << words;
  };
  refused("feature 3 of 3", [](BoostedTrees& t) { t.nodes[0].feature = 3; });
  refused("child 0", [](BoostedTrees& t) { t.nodes[0].child = 0; });
  refused("root", [](BoostedTrees& t) { t.roots[1] = 1 << 20; });
  refused("inconsistent", [](BoostedTrees& t) { t.fold_begin[1] = 1000; });
  refused("inconsistent", [](BoostedTrees& t) { t.fold_begin.pop_back(); });
  refused("values of categories", [](BoostedTrees& t) { t.code_values.pop_back(); });
  refused("not finite", [](BoostedTrees& t) { t.nodes.back().cut = NAN; });
  refused("not finite", [](BoostedTrees& t) { t.starts[0] = INFINITY; });
}

}  // namespace
}  // namespace mirrorball::boost
