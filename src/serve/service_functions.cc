// Sample functions: the noise is fixed, one feature varies.

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "serve/json_writer.h"
#include "serve/service.h"

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

std::string Service::functions(const std::string& body) {
  Gate::Permit permit(light_);
  const Json parsed = parse_body(body);
  const Fields fields(parsed, {"row", "vary", "from", "to", "points", "count", "seed"});
  const std::string vary = fields.text("vary", "");
  const Table row = reader_.read(fields, 1);
  const std::size_t column = blamed_on("vary", [&] { return row.column(vary); });
  const ColumnSchema& feature = model_.schema().features[column];
  if (!feature.is_number())
    throw ApiError(400, "vary", fmt::format("{} is a category", in_quotes(vary)),
                   "name a feature that is a number");
  const double from = read_end(fields, "from", feature, -1), to = read_end(fields, "to", feature, 1);
  const std::size_t points = fields.whole("points", 60, 2, limits_.levels),
                    count = fields.whole("count", 20, 1, limits_.levels);
  check_numbers(points, count, model_.targets().size(), limits_.answer);
  std::vector<double> values(points);
  for (std::size_t i = 0; i < points; ++i)
    values[i] = from + (to - from) * static_cast<double>(i) / static_cast<double>(points - 1);

  SampleRequest request{row.vary(0, column, values), {}};
  request.options.samples = count;
  request.options.seed = fields.seed();
  request.options.calibrated = false;
  const Predictive samples = sample_rows(request, permit);
  JsonWriter json;
  json.begin_object().key("vary").text(vary).key("values").numbers(values, feature.digits);
  json.key("functions").begin_object();
  std::vector<double> line(points);
  for (std::size_t t = 0; t < samples.targets(); ++t) {
    json.key(samples.target_names()[t]).begin_array();
    for (std::size_t i = 0; i < samples.samples(); ++i) {
      for (std::size_t point = 0; point < points; ++point) line[point] = samples.draws(point, t)[i];
      json.numbers(line, model_.digits(t));
    }
    json.end_array();
  }
  return json.end_object().end_object().take();
}

}  // namespace mirrorball::serve
