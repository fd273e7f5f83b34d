#pragma once

#include <cstddef>

#include "mirrorball/explain.h"

namespace mirrorball::shap {

/// How the sets of features between one background row and x are evaluated, x and it differing in `players`.
struct SetPlan {
  bool all = true;        ///< every set, 2^players of them
  std::size_t pairs = 0;  ///< otherwise: orders of the players, each walked forwards and backwards
  /// Sets evaluated, the empty and the full one among them.
  std::size_t sets = 1;
};

/// `wanted` sets at most; 0 takes the automatic number. All sets where they are not more than that. `twice`
/// asks for two pairs at least, whose difference tells what the choice of orders does.
SetPlan set_plan(std::size_t players, std::size_t wanted, bool twice);

/// The fewest sets that can be evaluated.
std::size_t least_sets(std::size_t players);

/// Rows behind the base, at most: where the background has more, this many of them stand for all.
inline constexpr std::size_t kBaseRows = 1000;

/// What the explanation of one row takes at most, in rows that the networks evaluate. Equal rows are
/// evaluated once, features that do not differ are no players, and features whose values are settled early
/// are left out later.
struct ExplainCost {
  std::size_t coalitions = 0, background_rows = 0;
  std::size_t base_rows = 0;  ///< evaluated once for all rows that are explained
  std::size_t rows() const { return coalitions * background_rows; }
};

/// `background_rows` are those of the table that some are taken from.
ExplainCost explain_cost(std::size_t features, std::size_t background_rows, const ExplainOptions& options);

}  // namespace mirrorball::shap
