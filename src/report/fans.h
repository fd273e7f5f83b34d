#pragma once

#include <array>
#include <string>
#include <vector>

#include "mirrorball/model.h"
#include "report/row_space.h"
#include "report/slices.h"

namespace mirrorball::report {

/// The forecast along one feature, all others as in one row of the data.
struct Fan {
  std::vector<double> values;           ///< of a number, from the training values' 1% to their 99%
  std::vector<std::string> categories;  ///< the most frequent
  /// Whether rows of the data lie near each of these composed rows; elsewhere the forecast extrapolates.
  std::vector<std::uint8_t> near;
  /// Per target, per value: quantiles at kFanLevels.
  std::vector<std::vector<std::array<double, kFanLevels.size()>>> quantiles;
  std::vector<PooledSlice> slices;  ///< of the rows looked at, along the feature
};

/// One for each named feature number, in order. `table` holds the rows that `all` are forecasts of; row
/// `base` of it gives the other features.
std::vector<Fan> fans(const Model& model, const std::vector<std::size_t>& features, const Table& table,
                      const RowSpace& space, std::size_t base, const Forecasts& all,
                      const PredictOptions& options);

}  // namespace mirrorball::report
