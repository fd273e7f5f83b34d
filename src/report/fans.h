#pragma once

#include <array>
#include <string>
#include <vector>

#include "mirrorball/model.h"
#include "report/slices.h"

namespace mirrorball::report {

/// The forecast along one feature, all others at their typical values (training medians, most frequent
/// levels).
struct Fan {
  std::vector<double> values;       ///< of a number, from the training values' 1% to their 99%
  std::vector<std::string> levels;  ///< of a category, the most frequent
  /// Per target, per value: quantiles at 5, 25, 50, 75 and 95%.
  std::vector<std::vector<std::array<double, 5>>> quantiles;
  std::vector<PooledSlice> slices;  ///< of the rows looked at, along the feature
};

/// One for each named feature number, in order. `table` holds the rows that `all` are forecasts of.
std::vector<Fan> fans(const Model& model, const std::vector<std::size_t>& features, const Table& table,
                      const Forecasts& all, const PredictOptions& options);

}  // namespace mirrorball::report
