#include "serve/vary.h"

#include <cmath>
#include <limits>

#include "serve/row_reader.h"

namespace mirrorball::serve {
namespace {

/// An end of the training range; `side` is -1 or 1. Without quantiles, three standard deviations off the
/// mean.
double training_end(const ColumnSchema& column, double side) {
  return column.has_quantiles() ? column.training_quantile(side < 0 ? 0 : 1)
                                : column.knots[0] + column.knots[1] * 3 * side;
}

double read_end(const Fields& fields, const char* name, const ColumnSchema& column, double side) {
  constexpr double kFar = std::numeric_limits<float>::max();
  const Json* given = fields.find(name);
  const double date = column.dates && given && given->is_string() ? date_from(name, *given) : NAN;
  return std::isnan(date) ? fields.number(name, training_end(column, side), -kFar, kFar) : date;
}

}  // namespace

std::vector<double> even_values(const Fields& fields, const ColumnSchema& feature, std::size_t points,
                                std::size_t most) {
  const double from = read_end(fields, "from", feature, -1), to = read_end(fields, "to", feature, 1);
  std::vector<double> values(fields.whole("points", points, 2, most));
  const auto steps = static_cast<double>(values.size() - 1);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = from + (to - from) * static_cast<double>(i) / steps;
  return values;
}

}  // namespace mirrorball::serve
