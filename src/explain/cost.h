#pragma once

#include <cstddef>

#include "mirrorball/explain.h"

namespace mirrorball::shap {

/// Sets of features to be asked for where they cannot all be: as many as `wanted`, or where that is 0 a
/// number that grows with the features in which a row differs from the background, the players.
std::size_t most_coalitions(std::size_t players, std::size_t wanted);

/// Whether all sets are asked for where `most` of them may be.
bool takes_all_coalitions(std::size_t players, std::size_t most);

/// What the explanation of one row takes at most: the networks are asked for every set of features with every
/// background row. Equal rows are asked for once, and features that nowhere differ are no players.
struct ExplainCost {
  std::size_t coalitions = 0, background_rows = 0;
  std::size_t rows() const { return coalitions * background_rows; }
};

/// `background_rows` are those of the table that some are taken from.
ExplainCost explain_cost(std::size_t features, std::size_t background_rows, const ExplainOptions& options);

}  // namespace mirrorball::shap
