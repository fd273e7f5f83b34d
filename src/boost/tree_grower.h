#pragma once

#include <vector>

#include "base/random.h"
#include "boost/bins.h"
#include "boost/boosted_trees.h"
#include "plan/rules.h"

namespace mirrorball::boost {

/// How a tree grows.
struct TreePlan {
  plan::BoostShape shape;
  double shrinkage = 1;            ///< added to that weight in the mean of a leaf
  std::size_t most_columns = 256;  ///< that it looks at: a leaf keeps sums of all their bins
  double rate = 0.1;               ///< of a leaf's mean that is added
};

/// Grows one tree after the other on the same binned rows, in memory of its own.
class TreeGrower {
 public:
  TreeGrower(const BinnedRows& rows, const TreePlan& plan);

  /// Adds a tree for the residuals of the rows `which` to `out`, and what it says of a row to `forecast`, for
  /// every row. Residuals, weights and forecasts are by row. The leaf with the most to gain is split first.
  void grow(std::span<const std::uint32_t> which, std::span<const float> residuals,
            std::span<const float> weights, Stream& random, BoostedTrees& out, std::span<float> forecast);

 private:
  struct Bin {
    float sum = 0, weight = 0;  ///< of weighted residuals, of weights
  };
  using Histogram = std::vector<Bin>;
  struct Split {
    double gain = 0;
    std::size_t column = 0, bin = 0;  ///< rows in bins up to this one go left
  };
  /// A leaf of the tree so far, with the rows order_[begin] to order_[end].
  struct Leaf {
    std::size_t begin = 0, end = 0, node = 0;
    double sum = 0, weight = 0;
    Histogram histogram;
    Split best;

    std::size_t rows() const { return end - begin; }
  };

  void choose_columns(Stream& random);
  Histogram sums_of(const Leaf& leaf, std::span<const float> residuals, std::span<const float> weights);
  void settle(Leaf& leaf) const;
  std::size_t offset_of(std::size_t column) const;
  void split(Leaf& parent, std::span<const float> residuals, std::span<const float> weights,
             BoostedTrees& out);
  std::size_t part_rows(const Leaf& leaf);
  void add_forecasts(const BoostedTrees& trees, std::span<float> forecast) const;
  double score(double sum, double weight) const { return sum * sum / (weight + plan_.shrinkage); }

  const BinnedRows& rows_;
  const TreePlan plan_;
  std::vector<std::size_t> all_, columns_;    ///< columns; those that this tree looks at
  std::vector<std::size_t> offsets_;          ///< of their bins in a histogram, and the number of all
  std::vector<std::uint32_t> order_, right_;  ///< rows, a leaf's side by side; one side of a split
  std::vector<Leaf> leaves_;
  std::size_t root_ = 0;              ///< of this tree
  std::vector<std::size_t> bins_of_;  ///< of its nodes, from the root on: the bin they split at
};

}  // namespace mirrorball::boost
