#include "report/row_errors.h"

#include <cmath>
#include <numeric>

#include "base/order_statistics.h"
#include "score/forecast.h"

namespace mirrorball::report {

double mean_of(std::span<const double> values) {
  return values.empty()
             ? 0
             : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

void RowErrors::set(std::size_t row, std::span<const double> sorted, double y) {
  crps[row] = scoring::sorted_crps(sorted, y, false);
  absolute[row] = std::fabs(sorted_quantile(sorted, 0.5) - y);
  squared[row] = std::pow(mean_of(sorted) - y, 2);
  if (width.empty()) return;
  const double low = sorted_quantile(sorted, 0.05), high = sorted_quantile(sorted, 0.95);
  width[row] = high - low;
  inside[row] = low <= y && y <= high;
}

RowErrors row_errors(const Forecasts& all, std::size_t target) {
  RowErrors errors(all.rows);
  errors.add_intervals();
  for (std::size_t row = 0; row < all.rows; ++row) {
    const RowForecast& one = all.at(row, target);
    const double y = all.outcome(row, target);
    errors.crps[row] = one.crps;
    errors.absolute[row] = std::fabs(one.median - y);
    errors.squared[row] = (one.mean - y) * (one.mean - y);
    errors.width[row] = one.high - one.low;
    errors.inside[row] = one.covers(y);
  }
  return errors;
}

}  // namespace mirrorball::report
