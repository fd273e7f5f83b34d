#pragma once

#include "base/thread_pool.h"
#include "base/watch.h"
#include "boost/boosted_trees.h"
#include "rows/encoded_rows.h"

namespace mirrorball::boost {

/// How trees are boosted.
struct BoostPlan {
  std::size_t rounds = 500;   ///< trees of a fold, at most
  std::size_t patience = 40;  ///< rounds without a lower error on the rows left out that end it
  double seconds = 0;         ///< rounds not begun by then are left out; 0: no limit
  Watch* watch = nullptr;     ///< may be none
  double watched_share = 1;   ///< that these trees are of what is watched
};

/// What boosted trees learn from: one target, in transformed units.
struct BoostData {
  const rows::EncodedRows& rows;
  std::span<const float> targets;  ///< of row i: targets[i * stride + at]
  std::size_t stride, at;
  std::span<const float> weights;          ///< by row
  std::span<const std::uint32_t> columns;  ///< numbers that trees may use; codes always
  std::size_t learned_rows;                ///< that codes count
};

/// Boosted trees with the fold each row was in.
struct FittedBoost {
  static constexpr std::uint8_t kNoFold = 255;

  BoostedTrees trees;
  std::vector<std::uint8_t> fold_of;  ///< by row; kNoFold: no tree has seen it

  /// The mean of a row by what has not seen it.
  double held_out_mean(const rows::EncodedRows& rows, std::size_t row) const;
};

/// Boosts trees for every fold's complement, and stops each where the fold's own error is lowest.
FittedBoost fit_boosted(const BoostData& data, std::span<const std::vector<std::uint32_t>> folds,
                        const BoostPlan& plan, std::uint64_t seed, ThreadPool& pool);

}  // namespace mirrorball::boost
