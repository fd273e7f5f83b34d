#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "report/forecasts.h"

namespace mirrorball::report {

/// What one method's forecasts of a target cost, row by row.
struct RowErrors {
  std::vector<double> crps, absolute, squared;  ///< absolute of the median, squared of the mean
  std::vector<double> width, inside;            ///< of the 90% interval; none of a single number

  explicit RowErrors(std::size_t rows = 0) : crps(rows), absolute(rows), squared(rows) {}
  void add_intervals() {
    width.resize(crps.size());
    inside.resize(crps.size());
  }
  /// Sets a row from samples in ascending order.
  void set(std::size_t row, std::span<const double> sorted, double y);
};

double mean_of(std::span<const double> values);

/// Those of the model.
RowErrors row_errors(const Forecasts& all, std::size_t target);

}  // namespace mirrorball::report
