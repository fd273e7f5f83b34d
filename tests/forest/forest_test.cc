#include "forest/forest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "base/random.h"

namespace mirrorball {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

struct Data {
  rows::EncodedRows rows;
  std::vector<float> targets, weights;
  std::vector<std::uint32_t> which;

  Data(std::size_t count, std::size_t numbers, std::size_t codes)
      : rows(count, numbers, codes), targets(count), weights(count, 1.0f), which(count) {
    std::iota(which.begin(), which.end(), 0u);
  }

  forest::GrownForest grow(const forest::ForestPlan& plan = {}, unsigned threads = 2) const {
    ThreadPool pool(threads);
    forest::GrownForest grown = forest::Forest::grow(rows, targets, weights, which, plan, 5, pool);
    grown.forest.check(rows.number_columns + rows.code_columns);
    return grown;
  }
};

/// One number a row, uniform in [0, 1), and what `target` makes of it.
template <class Target>
Data line(std::size_t count, Target target) {
  Data data(count, 1, 0);
  Stream random(1, Purpose::kTest);
  for (std::size_t i = 0; i < count; ++i) {
    data.rows.numbers[i] = random.uniform();
    data.targets[i] = target(data.rows.numbers[i], random);
  }
  return data;
}

/// Every target is another number, and says which row it belongs to.
Data unique_targets(std::size_t count) {
  Data data = line(count, [](float, Stream&) { return 0.0f; });
  std::iota(data.targets.begin(), data.targets.end(), 0.0f);
  return data;
}

std::vector<float> quantiles(const forest::Forest& forest, std::vector<float> numbers,
                             std::vector<std::int32_t> codes, std::size_t count) {
  forest::Forest::Scratch scratch;
  std::vector<float> out(count, kNan);
  forest.quantiles(numbers, codes, out, scratch);
  EXPECT_TRUE(std::is_sorted(out.begin(), out.end()));
  return out;
}

/// Two targets of a row: where it lies, and the same with the other sign and noise of its own.
Data two_targets(std::size_t count) {
  Data data = line(count, [](float x, Stream&) { return x; });
  data.targets.resize(2 * count);
  Stream random(2, Purpose::kTest);
  for (std::size_t i = 0; i < count; ++i) {
    data.targets[2 * i] = data.rows.numbers[i];
    data.targets[2 * i + 1] = static_cast<float>(-data.rows.numbers[i] + 0.1 * random.normal());
  }
  return data;
}

TEST(Forest, LeavesOfSeveralTargetsKeepWholeRows) {
  const Data data = two_targets(400);
  const forest::GrownForest grown = data.grow();
  std::map<float, float> second_of;
  for (std::size_t i = 0; i < 400; ++i) second_of[data.targets[2 * i]] = data.targets[2 * i + 1];
  forest::Forest::Scratch scratch;
  std::vector<float> out(2 * 50);
  grown.forest.quantiles(std::vector{0.3f}, {}, out, scratch);
  for (std::size_t k = 0; k < 50; ++k) {
    ASSERT_TRUE(second_of.contains(out[k]));
    EXPECT_EQ(out[50 + k], second_of[out[k]]) << "a joint draw is a row";
    EXPECT_NEAR(out[k], 0.3, 0.2);
  }
  EXPECT_TRUE(std::is_sorted(out.begin(), out.begin() + 50));
  EXPECT_TRUE(grown.forest.quantiles_out_of_bag(data.rows, 7, grown.in_bag, out, scratch));
  for (std::size_t k = 0; k < 50; ++k) EXPECT_NE(out[k], data.targets[14]) << "its own row is left out";
}

TEST(Forest, ValuesThatAreNoWholeRowsAreRefused) {
  forest::Forest forest = two_targets(100).grow().forest;
  forest.values.pop_back();
  EXPECT_THROW(forest.check(1), std::invalid_argument);
}

/// Two trees over one number and one code, with leaves of 1, 2 and 3 values, and one of 2.
forest::Forest by_hand() {
  return {.nodes = {{0, 0.5f, 1}, {-1, 0, 0}, {1, 2.0f, 3}, {-1, 0, 1}, {-1, 0, 2}, {-1, 0, 3}},
          .roots = {0, 5},
          .leaf_begin = {0, 1, 3, 6, 8},
          .values = {4, -1, 3, 2, 2, 7, -5, 2.5f}};
}

// F(v) = 1/T sum over trees of the share of their leaf's values <= v; the quantile is the least value with
// F(v) >= (k + 1/2) / K.
std::vector<float> slow_quantiles(const std::vector<std::vector<float>>& leaves, std::size_t count) {
  std::map<float, double> mass;
  for (const auto& leaf : leaves)
    for (const float value : leaf)
      mass[value] += 1.0 / static_cast<double>(leaf.size()) / static_cast<double>(leaves.size());
  std::vector<float> out;
  for (std::size_t k = 0; k < count; ++k) {
    const double level = (static_cast<double>(k) + 0.5) / static_cast<double>(count);
    double below = 0;
    auto at = mass.begin();
    while ((below += at->second) < level - 1e-9) ++at;
    out.push_back(at->first);
  }
  return out;
}

TEST(Forest, QuantilesAreThoseOfTheSlowTwin) {
  const forest::Forest forest = by_hand();
  forest.check(2);
  for (const std::size_t count : {1u, 2u, 3u, 4u, 6u, 12u, 100u, 1000u}) {
    EXPECT_EQ(quantiles(forest, {0.5f}, {0}, count), slow_quantiles({{4}, {-5, 2.5f}}, count));
    EXPECT_EQ(quantiles(forest, {0.6f}, {2}, count), slow_quantiles({{-1, 3}, {-5, 2.5f}}, count));
    EXPECT_EQ(quantiles(forest, {0.6f}, {3}, count), slow_quantiles({{2, 2, 7}, {-5, 2.5f}}, count));
  }
  EXPECT_EQ(quantiles(forest, {0.6f}, {-1}, 4), (std::vector<float>{-5, -1, 2.5f, 3}));
  EXPECT_EQ(quantiles(forest, {kNan}, {-1}, 4), (std::vector<float>{-5, -1, 2.5f, 3}));  // goes right
}

TEST(Forest, LearnsSteps) {
  const auto step = [](float x) { return std::floor(4 * x); };
  const Data data = line(2000, [&](float x, Stream&) { return step(x); });
  const forest::Forest forest = data.grow().forest;
  for (const float x : {0.05f, 0.2f, 0.3f, 0.45f, 0.6f, 0.7f, 0.85f, 0.95f})
    for (const float q : quantiles(forest, {x}, {}, 20)) EXPECT_EQ(q, step(x)) << x;
}

TEST(Forest, LearnsBothModes) {
  const Data data = line(4000, [](float x, Stream& random) {
    return (random.uniform() < 0.5f ? -1.0f : 1.0f) * (1 + x) + 0.05f * static_cast<float>(random.normal());
  });
  const forest::Forest forest = data.grow({.min_leaf = 10}).forest;
  const std::vector<float> q = quantiles(forest, {0.5f}, {}, 100);
  EXPECT_NEAR(q[20], -1.5f, 0.2f);
  EXPECT_NEAR(q[79], 1.5f, 0.2f);
  EXPECT_EQ(std::count_if(q.begin(), q.end(), [](float v) { return std::abs(v) < 1; }), 0);
}

TEST(Forest, UsesCategoriesAndGaps) {
  Data data(900, 1, 2);
  Stream random(2, Purpose::kTest);
  for (std::size_t i = 0; i < 900; ++i) {
    const auto level = static_cast<std::int32_t>(random.below(3));
    const bool gap = random.uniform() < 0.3f;
    data.rows.codes[2 * i] = 7 + level;
    data.rows.codes[2 * i + 1] = gap ? 3 : rows::EncodedRows::kNothing;
    data.targets[i] = static_cast<float>(level == 1 ? 10 : level) + (gap ? 100.0f : 0.0f);
  }
  const forest::Forest forest = data.grow().forest;
  for (const std::int32_t level : {0, 1, 2})
    for (const bool gap : {false, true}) {
      const float truth = static_cast<float>(level == 1 ? 10 : level) + (gap ? 100.0f : 0.0f);
      const auto q = quantiles(forest, {0}, {7 + level, gap ? 3 : rows::EncodedRows::kNothing}, 9);
      EXPECT_EQ(q, std::vector<float>(9, truth)) << level << gap;
    }
}

TEST(Forest, SeesTheRowsAskedForAndNoneOfWeightNothing) {
  Data data = unique_targets(300);
  for (std::size_t i = 0; i < 300; ++i)
    data.weights[i] = i % 3 == 0 ? 0.0f : 1.0f + static_cast<float>(i % 2);
  std::erase_if(data.which, [](std::uint32_t row) { return row >= 200; });
  const forest::GrownForest grown = data.grow({.share = 1.0});
  const std::set<float> seen(grown.forest.values.begin(), grown.forest.values.end());
  EXPECT_EQ(seen.size(), 133u);
  for (std::size_t i = 0; i < 300; ++i) {
    EXPECT_EQ(seen.count(static_cast<float>(i)), i < 200 && i % 3 != 0 ? 1u : 0u) << i;
    EXPECT_EQ(grown.in_bag.has(7, i), i < 200 && i % 3 != 0) << i;
  }
  data.weights.assign(300, 0.0f);
  EXPECT_THROW(data.grow(), std::invalid_argument);
}

TEST(Forest, DrawsByWeightWithoutReplacement) {
  Data data = unique_targets(400);
  const forest::ForestPlan plan{.trees = 500, .min_leaf = 1000, .share = 0.1};
  const auto share_of_the_first_half = [&] {
    const forest::Forest forest = data.grow(plan).forest;
    EXPECT_EQ(forest.values.size(), 500u * 40u);
    for (std::size_t tree = 0; tree < 500; ++tree) {
      const auto* values = forest.values.data() + forest.leaf_begin[tree];
      EXPECT_EQ(std::adjacent_find(values, values + 40), values + 40);
    }
    const auto low =
        std::count_if(forest.values.begin(), forest.values.end(), [](float v) { return v < 200; });
    return static_cast<double>(low) / static_cast<double>(forest.values.size());
  };
  EXPECT_NEAR(share_of_the_first_half(), 0.5, 0.02);
  data.weights.clear();
  EXPECT_NEAR(share_of_the_first_half(), 0.5, 0.02);
  // Weights 3 and 1: dL/dt = -3 L and dH/dt = -H empty the urn until 360 of 400 are left, so
  // 200 (e^-3t + e^-t) = 360 at t = 0.0534, when 29.6 of the 40 drawn are of weight 3.
  data.weights.assign(400, 1.0f);
  std::fill_n(data.weights.begin(), 200, 3.0f);
  EXPECT_NEAR(share_of_the_first_half(), 0.74, 0.02);
}

TEST(Forest, OutOfBagIsOutOfBag) {
  const Data data = unique_targets(250);
  const forest::GrownForest grown = data.grow({.trees = 8, .share = 0.7});
  forest::Forest::Scratch scratch;
  int without = 0;
  for (std::size_t row = 0; row < 250; ++row) {
    std::vector<float> out(200, kNan);
    const bool any = grown.forest.quantiles_out_of_bag(data.rows, row, grown.in_bag, out, scratch);
    bool expected = false;
    for (std::size_t tree = 0; tree < 8; ++tree) expected |= !grown.in_bag.has(tree, row);
    EXPECT_EQ(any, expected);
    EXPECT_EQ(std::count(out.begin(), out.end(), static_cast<float>(row)), 0);
    EXPECT_EQ(std::isnan(out[0]), !any);
    without += !any;
  }
  EXPECT_GT(without, 0);
  EXPECT_LT(without, 50);
}

TEST(Forest, OutOfBagWithoutABagIsTheWholeForest) {
  Data data = unique_targets(100);
  data.which.resize(90);
  const forest::GrownForest grown = data.grow();
  forest::Forest::Scratch scratch;
  std::vector<float> out(30);
  EXPECT_TRUE(grown.forest.quantiles_out_of_bag(data.rows, 95, grown.in_bag, out, scratch));
  EXPECT_EQ(out, quantiles(grown.forest, {data.rows.numbers[95]}, {}, 30));
}

TEST(Forest, DoesNotDependOnThreads) {
  Data data(400, 30, 20);
  Stream random(3, Purpose::kTest);
  for (float& x : data.rows.numbers) x = static_cast<float>(random.normal());
  for (std::int32_t& code : data.rows.codes) code = static_cast<std::int32_t>(random.below(4)) - 1;
  for (std::size_t i = 0; i < 400; ++i) data.targets[i] = data.rows.numbers[30 * i] + random.uniform();
  for (const float weight : {1.0f, 2.0f}) {
    data.weights[0] = weight;
    const forest::ForestPlan plan{.trees = 9, .features = 32};
    const forest::GrownForest one = data.grow(plan, 1);
    EXPECT_EQ(one.forest.roots.size(), 9u);
    for (const unsigned threads : {2u, 7u}) EXPECT_TRUE(data.grow(plan, threads).forest == one.forest);
  }
}

TEST(Forest, ANodeTriesSoManyFeatures) {
  Data data(300, 3, 0);  // the last has no spread, and does not count
  Stream random(6, Purpose::kTest);
  for (std::size_t i = 0; i < 300; ++i) {
    data.rows.numbers[3 * i] = random.uniform();
    data.rows.numbers[3 * i + 1] = random.uniform();
    data.rows.numbers[3 * i + 2] = 1;
    data.targets[i] = data.rows.numbers[3 * i];
  }
  const auto roots_by_the_first = [&](std::size_t features) {
    const forest::Forest forest = data.grow({.trees = 100, .features = features}).forest;
    return std::count_if(forest.roots.begin(), forest.roots.end(),
                         [&](std::int32_t root) { return forest.nodes[root].feature == 0; });
  };
  EXPECT_EQ(roots_by_the_first(0), 100);
  EXPECT_EQ(roots_by_the_first(2), 100);
  EXPECT_NEAR(static_cast<double>(roots_by_the_first(1)), 50, 20);
}

TEST(Forest, LeavesAreLargeEnough) {
  const Data data = line(500, [](float x, Stream& random) { return x + random.uniform(); });
  for (const std::size_t min_leaf : {1u, 4u, 20u})
    for (const std::size_t cuts : {1u, 4u, 7u}) {
      const forest::Forest forest = data.grow({.min_leaf = min_leaf, .cuts = cuts, .max_rows = 200}).forest;
      EXPECT_EQ(forest.values.size(), 64u * 200u);
      for (std::size_t i = 1; i < forest.leaf_begin.size(); ++i) {
        const std::int32_t begin = forest.leaf_begin[i - 1], end = forest.leaf_begin[i];
        EXPECT_GE(static_cast<std::size_t>(end - begin), min_leaf);
        EXPECT_TRUE(std::is_sorted(forest.values.begin() + begin, forest.values.begin() + end));
      }
      EXPECT_GT(forest.nodes.size(), 64u * 5u);
    }
}

TEST(Forest, OneOrTwoRowsAndNoSpread) {
  Data one(1, 1, 0), two(2, 1, 0), flat(50, 1, 0), tied(50, 1, 0), bare(50, 0, 0);
  one.targets = {3};
  EXPECT_EQ(quantiles(one.grow().forest, {9}, {}, 3), std::vector<float>(3, 3));
  two.targets = {1, 2};
  two.rows.numbers[1] = 1;
  const forest::Forest cut = two.grow({.min_leaf = 1, .share = 1.0}).forest;
  EXPECT_EQ(quantiles(cut, {-1}, {}, 3), std::vector<float>(3, 1));
  EXPECT_EQ(quantiles(cut, {2}, {}, 3), std::vector<float>(3, 2));
  for (std::size_t i = 0; i < 50; ++i) {
    flat.rows.numbers[i] = static_cast<float>(i);
    tied.targets[i] = bare.targets[i] = static_cast<float>(i);
  }
  for (const Data* data : {&flat, &tied, &bare}) EXPECT_EQ(data->grow().forest.nodes.size(), 64u);
}

TEST(Forest, RefusesDamage) {
  const auto refused = [](auto damage) {
    forest::Forest forest = by_hand();
    damage(forest);
    EXPECT_THROW(forest.check(2), std::invalid_argument);
  };
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  EXPECT_THROW(by_hand().check(1), std::invalid_argument);
  EXPECT_THROW(forest::Forest{}.check(2), std::invalid_argument);
  // Trees that share their nodes: a small file with the work and the memory of a large one.
  refused([&](forest::Forest& f) { f.roots.assign(60000, f.roots[0]); });
  refused([&](forest::Forest& f) { f.roots[1] = f.roots[0]; });
  for (const std::int32_t index : {-2, -1, 6, kMost, -kMost - 1}) {
    refused([&](forest::Forest& f) { f.roots[1] = index; });
    refused([&](forest::Forest& f) { f.nodes[1].child = index; });
    refused([&](forest::Forest& f) { f.nodes[2].child = index; });
    refused([&](forest::Forest& f) { f.leaf_begin[1] = index; });
    refused([&](forest::Forest& f) { f.leaf_begin[4] = index; });
    if (index != -1) refused([&](forest::Forest& f) { f.nodes[0].feature = index; });
  }
  for (const std::int32_t child : {0, 1, 2, 5}) refused([&](forest::Forest& f) { f.nodes[2].child = child; });
  refused([](forest::Forest& f) { f.leaf_begin[0] = 1; });
  refused([](forest::Forest& f) { f.leaf_begin[2] = 1; });
  refused([](forest::Forest& f) { f.leaf_begin = {0}; });
  refused([](forest::Forest& f) { f.leaf_begin.clear(); });
  refused([](forest::Forest& f) { f.nodes.clear(); });
  refused([](forest::Forest& f) { f.roots.clear(); });
  refused([](forest::Forest& f) { f.values.pop_back(); });
  for (const float wrong : {kNan, HUGE_VALF, -HUGE_VALF}) {
    refused([&](forest::Forest& f) { f.values[3] = wrong; });
    refused([&](forest::Forest& f) { f.nodes[2].cut = wrong; });
  }
}

TEST(Forest, TooLargeIsSaid) {
  EXPECT_THROW(unique_targets(300).grow({.trees = std::size_t{1} << 24}), std::invalid_argument);
}

}  // namespace
}  // namespace mirrorball
