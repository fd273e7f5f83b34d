#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "base/random.h"
#include "forest/forest.h"

namespace mirrorball::forest {

/// Grows one tree after the other, in memory of its own: a copy of the rows a tree sees, one feature after
/// the other.
class TreeGrower {
 public:
  TreeGrower(const rows::EncodedRows& rows, std::span<const float> targets, const ForestPlan& plan)
      : rows_(rows), all_targets_(targets), per_row_(targets.size() / rows.rows), plan_(plan) {}

  /// A forest of one tree, from the rows of `bag`.
  Forest grow(std::span<const std::uint32_t> bag, Stream& random);

 private:
  static constexpr std::size_t kCutsAtOnce = 4;
  using Cuts = std::array<float, kCutsAtOnce>;

  /// A node to be settled, with the rows order_[begin] to order_[end].
  struct Part {
    std::size_t begin, end, node;
    std::size_t size() const { return end - begin; }
  };

  /// The best cut of a node; feature -1 while none has been found.
  struct Best {
    std::int32_t feature = -1;
    float cut = 0;
    double gain = -1;
  };

  void load(std::span<const std::uint32_t> bag, Stream& random);
  Best best_cut(const Part& part, Stream& random);
  bool center_targets(const Part& part);
  bool try_feature(const Part& part, std::uint32_t feature, Stream& random, Best& best);
  std::pair<float, float> range(std::size_t count) const;
  void try_cuts(std::size_t count, std::uint32_t feature, const Cuts& cuts, Best& best) const;
  std::size_t split(const Part& part, const Best& best);
  void close(const Part& part, Forest& out) const;

  const rows::EncodedRows& rows_;
  std::span<const float> all_targets_;
  std::size_t per_row_;  ///< targets of a row
  const ForestPlan& plan_;
  std::size_t count_ = 0;                     ///< rows of the tree
  std::vector<float> columns_, targets_;      ///< theirs; of several targets, what cuts are chosen by
  std::span<const std::uint32_t> bag_;        ///< their numbers
  std::vector<std::uint32_t> order_, right_;  ///< the tree's rows, a node's side by side; one side of a split
  std::vector<std::uint32_t> features_;       ///< shuffled where a node tries a part of them
  std::vector<float> x_, y_;                  ///< a node's values of one feature, and its targets
};

}  // namespace mirrorball::forest
