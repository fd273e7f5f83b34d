#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/random.h"
#include "forest/tree.h"

namespace mirrorball::forest {
namespace {

/// The rows a tree may see, and how it gets its own.
struct RowPool {
  std::vector<std::uint32_t> rows;
  std::vector<float> weights;  ///< theirs; none where they are all alike
  std::size_t draws = 1;       ///< rows of a tree
};

RowPool make_pool(std::span<const float> weights, std::span<const std::uint32_t> which,
                  const ForestPlan& plan) {
  RowPool pool;
  for (const std::uint32_t row : which)
    if (weights.empty() || weights[row] > 0) pool.rows.push_back(row);
  if (pool.rows.empty()) bad_input("the forest needs at least 1 row with a weight above 0");
  if (!weights.empty()) {
    for (const std::uint32_t row : pool.rows) pool.weights.push_back(weights[row]);
    const auto [least, greatest] = std::ranges::minmax(pool.weights);
    if (least == greatest) pool.weights.clear();
  }
  const double share = std::ceil(plan.share * static_cast<double>(pool.rows.size()));
  pool.draws = std::min(plan.max_rows, static_cast<std::size_t>(share));
  pool.draws = std::clamp<std::size_t>(pool.draws, 1, pool.rows.size());
  // A tree has fewer nodes than twice its rows, and nodes are numbered with 31 bits.
  if (plan.trees > (std::size_t{1} << 30) / pool.draws)
    bad_input("a forest of {} trees with {} rows each is too large: use fewer trees or rows", plan.trees,
              pool.draws);
  return pool;
}

// Floyd's random subset of m in n: for j = n - m .. n - 1 take a random one of 0 .. j, or j if that is taken.
std::vector<std::uint32_t> draw_alike(const RowPool& pool, Stream& random, InBag& in_bag, std::size_t tree) {
  std::vector<std::uint32_t> bag;
  for (std::size_t j = pool.rows.size() - pool.draws; j < pool.rows.size(); ++j) {
    const std::uint32_t row = pool.rows[random.below(static_cast<std::uint32_t>(j + 1))];
    bag.push_back(in_bag.has(tree, row) ? pool.rows[j] : row);
    in_bag.add(tree, bag.back());
  }
  return bag;
}

// Efraimidis and Spirakis (2006): the rows with the m smallest -log(u) / w, u uniform in (0, 1].
std::vector<std::uint32_t> draw_by_weight(const RowPool& pool, Stream& random, InBag& in_bag,
                                          std::size_t tree) {
  std::vector<std::pair<double, std::uint32_t>> keys(pool.rows.size());
  for (std::size_t i = 0; i < keys.size(); ++i)
    keys[i] = {-std::log(1.0 - random.uniform_double()) / pool.weights[i], pool.rows[i]};
  std::nth_element(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(pool.draws - 1), keys.end());
  std::vector<std::uint32_t> bag(pool.draws);
  for (std::size_t i = 0; i < bag.size(); ++i) {
    bag[i] = keys[i].second;
    in_bag.add(tree, bag[i]);
  }
  return bag;
}

/// Adds a tree: its nodes and leaves are numbered on from those there are.
void append(const Forest& tree, Forest& forest) {
  const auto nodes = static_cast<std::int32_t>(forest.nodes.size());
  const auto leaves = static_cast<std::int32_t>(forest.leaf_begin.size() - 1);
  const std::int32_t entries = forest.leaf_begin.back();
  forest.roots.push_back(nodes);
  for (Forest::Node node : tree.nodes) {
    node.child += node.feature < 0 ? leaves : nodes;
    forest.nodes.push_back(node);
  }
  for (std::size_t i = 1; i < tree.leaf_begin.size(); ++i)
    forest.leaf_begin.push_back(entries + tree.leaf_begin[i]);
  forest.values.insert(forest.values.end(), tree.values.begin(), tree.values.end());
}

}  // namespace

GrownForest Forest::grow(const rows::EncodedRows& rows, std::span<const float> targets,
                         std::span<const float> weights, std::span<const std::uint32_t> which,
                         const ForestPlan& plan, std::uint64_t seed, ThreadPool& pool) {
  const RowPool usable = make_pool(weights, which, plan);
  GrownForest grown{.forest = {}, .in_bag = InBag(plan.trees, rows.rows)};
  std::vector<TreeGrower> growers(pool.size(), TreeGrower(rows, targets, plan));
  std::vector<Forest> trees(plan.trees);
  const WorkTime time(plan.seconds, plan.watch);
  pool.run(plan.trees, [&](std::size_t tree, unsigned worker) {
    if (tree > 0 && time.is_over()) return;
    Stream random(seed, Purpose::kForest, static_cast<std::uint32_t>(tree));
    auto bag = (usable.weights.empty() ? draw_alike : draw_by_weight)(usable, random, grown.in_bag, tree);
    std::sort(bag.begin(), bag.end());  // the rows are then read in order
    trees[tree] = growers[worker].grow(bag, random);
    time.add(1 / static_cast<double>(plan.trees));
  });
  grown.forest.leaf_begin = {0};
  grown.forest.targets = targets.size() / rows.rows;
  std::vector<std::size_t> kept;
  for (std::size_t tree = 0; tree < trees.size(); ++tree) {
    if (trees[tree].nodes.empty()) continue;
    append(trees[tree], grown.forest);
    kept.push_back(tree);
  }
  grown.in_bag.keep(kept);
  return grown;
}

}  // namespace mirrorball::forest
