#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "base/watch.h"
#include "encode/encoder.h"

namespace mirrorball::forest {

/// How a forest grows. All counts but that of the features are at least 1.
struct ForestPlan {
  std::size_t trees = 64;
  std::size_t min_leaf = 3;      ///< rows of a leaf at least, where the tree has that many
  std::size_t cuts = 4;          ///< random cuts tried per node and feature
  std::size_t features = 0;      ///< tried per node, of those that have spread there; 0: all
  double share = 0.8;            ///< of the usable rows that a tree sees
  std::size_t max_rows = 20000;  ///< that a tree sees at most
  double seconds = 0;            ///< trees not begun by then are left out, but for the first; 0: no limit
  Watch* watch = nullptr;        ///< may be none
};

/// Which rows each tree has seen, one bit each. Kept during the fit only.
class InBag {
 public:
  InBag() = default;
  InBag(std::size_t trees, std::size_t rows) : words_((rows + 63) / 64), bits_(trees * words_) {}

  /// Leaves out all trees but these, which are ascending.
  void keep(std::span<const std::size_t> trees) {
    for (std::size_t i = 0; i < trees.size(); ++i)
      std::copy_n(bits_.begin() + static_cast<std::ptrdiff_t>(trees[i] * words_), words_,
                  bits_.begin() + static_cast<std::ptrdiff_t>(i * words_));
    bits_.resize(trees.size() * words_);
  }

  bool has(std::size_t tree, std::size_t row) const {
    return (bits_[tree * words_ + row / 64] >> (row % 64) & 1) != 0;
  }
  /// Trees may be filled side by side: no two share a word.
  void add(std::size_t tree, std::size_t row) {
    bits_[tree * words_ + row / 64] |= std::uint64_t{1} << (row % 64);
  }

 private:
  std::size_t words_ = 0;  ///< per tree
  std::vector<std::uint64_t> bits_;
};

struct GrownForest;

/// Extremely randomised trees (Geurts et al. 2006) whose leaves keep their training targets: together the
/// leaves a row falls into are draws from the law of its target (quantile regression forest, Meinshausen
/// 2006). Of several targets a leaf keeps whole rows, which are joint draws; each tree is then cut by the
/// mean of one random direction of the targets (Joly, Geurts and Wehenkel 2014). A row's features are its
/// numbers, then its codes as floats: levels are cut by their order of frequency, and kNothing is -1.
struct Forest {
  struct Node {
    std::int32_t feature;  ///< -1 in a leaf
    float cut;
    std::int32_t child;  ///< taken where the feature is <= cut; else child + 1. In a leaf: number of the leaf

    bool operator==(const Node&) const = default;
  };

  /// What a thread needs to ask for quantiles; grows to its size by itself.
  struct Scratch {
    struct Draw {
      float value, weight;  ///< value: of the first target
      std::int32_t entry;
    };
    std::vector<float> features;
    std::vector<Draw> draws;
  };

  std::vector<Node> nodes;               ///< children come after their parent
  std::vector<std::int32_t> roots;       ///< first node of each tree
  std::vector<std::int32_t> leaf_begin;  ///< leaf i has entries leaf_begin[i] to leaf_begin[i + 1]
  std::vector<float> values;  ///< the targets of each entry; a single one is ascending within a leaf
  std::size_t targets = 1;

  bool operator==(const Forest&) const = default;

  /// Grows from the rows `which` (no row twice) that have a weight above 0; targets, so many of each row,
  /// must be finite. A tree sees a part of the rows, drawn by weight. Weights are by row; none at all means
  /// all alike.
  static GrownForest grow(const rows::EncodedRows& rows, std::span<const float> targets,
                          std::span<const float> weights, std::span<const std::uint32_t> which,
                          const ForestPlan& plan, std::uint64_t seed, ThreadPool& pool);

  /// Writes the quantiles at levels (k + 1/2) / K, k = 0 .. K - 1, of the targets in the row's leaves. Each
  /// tree has the same weight, shared evenly by its leaf's entries. Of several targets: the entries at these
  /// quantiles of the first one, K numbers for one target after the other.
  void quantiles(std::span<const float> numbers, std::span<const std::int32_t> codes, std::span<float> out,
                 Scratch& scratch) const;

  /// The same for a row of the fit, from the trees that have not seen it. False where there is none: `out`
  /// stays as it was.
  bool quantiles_out_of_bag(const rows::EncodedRows& rows, std::size_t row, const InBag& in_bag,
                            std::span<float> out, Scratch& scratch) const;

  /// Throws unless any row with so many features has quantiles: for arrays that come from a file.
  void check(std::size_t features) const;

 private:
  void collect(std::size_t tree, Scratch& scratch) const;
  void read(double total, std::span<float> out, Scratch& scratch) const;
};

struct GrownForest {
  Forest forest;
  InBag in_bag;
};

}  // namespace mirrorball::forest
