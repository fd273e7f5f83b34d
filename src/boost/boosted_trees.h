#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mirrorball::boost {

/// Gradient boosted regression trees (Friedman 2001) for the mean of one target. There are several sums of
/// trees, one for each fold of the training rows, which it has not seen; their mean is the forecast. A row's
/// features are its numbers, then its codes as numbers of their own: a category stands for the mean target of
/// its rows, shrunken to that of all.
struct BoostedTrees {
  struct Node {
    std::int32_t feature;  ///< -1 in a leaf
    float cut;             ///< in a leaf: what it adds
    std::int32_t child;    ///< taken where the feature is <= cut; else child + 1

    bool operator==(const Node&) const = default;
  };

  std::vector<Node> nodes;               ///< children come after their parent
  std::vector<std::int32_t> roots;       ///< first node of each tree
  std::vector<std::int32_t> fold_begin;  ///< fold f has the trees fold_begin[f] to fold_begin[f + 1]
  std::vector<float> starts;             ///< what a fold's trees are added to
  std::vector<float> code_values;        ///< one per fold and learned row

  bool operator==(const BoostedTrees&) const = default;

  bool empty() const { return starts.empty(); }
  std::size_t folds() const { return starts.size(); }
  double mean(std::span<const float> numbers, std::span<const std::int32_t> codes) const;
  double mean_of_fold(std::size_t fold, std::span<const float> numbers,
                      std::span<const std::int32_t> codes) const;

  /// Throws unless any row with so many numbers and codes, of so many learned rows, has a mean: for arrays
  /// that come from a file.
  void check(std::size_t numbers, std::size_t codes, std::size_t learned_rows) const;
};

}  // namespace mirrorball::boost
