// Sample functions: the noise is fixed, one feature varies.

#include <fmt/format.h>

#include "serve/json_writer.h"
#include "serve/service.h"
#include "serve/vary.h"

namespace mirrorball::serve {
std::string Service::functions(const std::string& body) {
  Gate::Permit permit(light_);
  const Json parsed = parse_body(body);
  const Fields fields(parsed, {"row", "vary", "from", "to", "points", "count", "seed"});
  const std::string vary = fields.text("vary", "");
  const Table row = reader_.read(fields, 1);
  const std::size_t column = blamed_on("vary", [&] { return row.column(vary); });
  const ColumnSchema& feature = model_.schema().features[column];
  if (!feature.is_number())
    throw ApiError(400, "vary", fmt::format("{} is a category", in_quotes(vary)), "name a numeric feature");
  const std::vector<double> values = even_values(fields, feature, kFunctionPoints, limits_.levels);
  const std::size_t points = values.size(), count = fields.whole("count", kFunctions, 1, limits_.levels);
  check_numbers(points, count, model_.targets().size(), limits_.answer);

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
      for (std::size_t point = 0; point < points; ++point) line[point] = samples.row_samples(point, t)[i];
      json.numbers(line, model_.digits(t));
    }
    json.end_array();
  }
  return json.end_object().end_object().take();
}

}  // namespace mirrorball::serve
