#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "explain/contributions.h"
#include "explain/controls.h"

namespace mirrorball::shap {

/// Shapley values of one explained number, from the contributions so far.
struct Estimate {
  std::vector<double> values;
  /// Standard errors, from how background rows and orders of features differ; 0 where all rows and all sets
  /// were taken. They are widened where rows are few, so that a value lies within two of them in 95 of 100
  /// cases.
  std::vector<double> errors;
  /// Standard deviation of what one more row would tell, rather too large than too small.
  std::vector<double> spreads;
};

/// What is known of the background besides.
struct Population {
  std::size_t rows = 0;        ///< with known answers; the contributions are of the first of them
  std::size_t table_rows = 0;  ///< that these stand for
  std::function<Controls(std::size_t feature)> controls;
};

/// `total` is what the values sum to: the answer at x less the base.
Estimate estimate(const Contributions& found, std::size_t kind, const Population& population, double total);

}  // namespace mirrorball::shap
