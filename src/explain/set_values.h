#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "explain/composites.h"
#include "explain/shapley.h"

namespace mirrorball::shap {

/// The questions put to a model about composite rows, and their answers so far.
struct Answers {
  std::size_t kinds = 1;       ///< numbers asked of a row
  std::vector<double> values;  ///< rows x kinds, in the order in which Composites numbers them
  /// Gives the answers for these rows, each `kinds` long.
  std::function<void(const rows::EncodedRows& rows, double* out)> ask;

  void add(const rows::EncodedRows& rows);
};

/// v(S) for every set S: the mean over the background rows of the answer at the row that has x's cells in S
/// and the background's elsewhere. kinds x sets. Rows are asked for in blocks of `block`; `progress` gets the
/// share that is done.
std::vector<double> set_values(const Coalitions& sets, std::size_t background, std::size_t block,
                               Composites& composites, Answers& answers,
                               const std::function<void(double share)>& progress = {});

}  // namespace mirrorball::shap
