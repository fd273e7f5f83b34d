// Forecasts along a feature: the row with one cell changed.

#include <fmt/format.h>

#include <algorithm>

#include "serve/json_writer.h"
#include "serve/service.h"
#include "serve/vary.h"

namespace mirrorball::serve {
namespace {

constexpr std::size_t kRug = 300;

/// The values of the changed feature, as they go into rows and come back.
Json values_along(const Fields& fields, const ColumnSchema& feature, const ServiceLimits& limits) {
  if (const Json* given = fields.find("values")) {
    if (!given->is_array() || given->empty() || given->size() > limits.levels)
      throw ApiError(400, "values", fmt::format("values is {}", in_words(*given)),
                     fmt::format("give a list of 1 to {} values of the feature", limits.levels));
    return *given;
  }
  if (feature.is_number()) return Json(even_values(fields, feature, kAlongPoints, limits.levels));
  Json categories(feature.categories);
  while (categories.size() > limits.levels) categories.erase(categories.end() - 1);
  return categories;
}

/// The row once for each value. What is wrong with a value is the fault of `values`.
Table rows_along(const RowReader& reader, const Json& row, const std::string& vary, const Json& values) {
  Json request = {{"rows", Json::array()}};
  for (const Json& value : values) request["rows"].emplace_back(row)[vary] = value;
  try {
    return reader.read(Fields(request, {"rows"}), values.size());
  } catch (const ApiError& error) {
    throw ApiError(error.status, "values", error.what(), error.hint);
  }
}

void write_values(JsonWriter& json, const Table& rows, std::size_t column, const ColumnSchema& feature) {
  json.key("values").begin_array();
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    if (feature.is_number()) {
      json.number(rows.number(i, column), std::max(7, feature.digits));
    } else {
      const std::int32_t code = rows.code(i, column);
      code == Table::kMissing ? json.null()
                              : json.text(rows.categories(column)[static_cast<std::size_t>(code)]);
    }
  }
  json.end_array();
}

}  // namespace

std::string Service::along(const std::string& body) {
  Gate::Permit permit(light_);
  const Json parsed = parse_body(body);
  const Fields fields(parsed, {"row", "vary", "values", "from", "to", "points", "levels", "samples", "seed"});
  const std::string vary = fields.text("vary", "");
  const Table row = reader_.read(fields, 1);
  const std::size_t column = blamed_on("vary", [&] { return row.column(vary); });
  const ColumnSchema& feature = model_.schema().features[column];
  const Json values = values_along(fields, feature, limits_);
  const std::vector<double> levels = fields.levels(limits_.levels);

  SampleRequest request;
  request.options.samples = fields.whole("samples", kSummarySamples, 1, limits_.samples);
  request.options.seed = fields.seed();
  check_numbers(values.size(), request.options.samples, model_.targets().size(), limits_.draws);
  check_numbers(values.size(), levels.size(), model_.targets().size(), limits_.answer);
  request.table = rows_along(reader_, *fields.find("row"), vary, values);
  const Predictive samples = sample_rows(request, permit);

  JsonWriter json;
  json.begin_object().key("vary").text(vary).key("samples").count(samples.samples());
  json.key("levels").numbers(levels);
  write_values(json, request.table, column, feature);
  json.key("quantiles").begin_object();
  for (std::size_t t = 0; t < samples.targets(); ++t) {
    json.key(samples.target_names()[t]).begin_array();
    for (std::size_t i = 0; i < samples.rows(); ++i)
      json.numbers(samples.quantiles(levels, i, t), model_.digits(t));
    json.end_array();
  }
  json.end_object();
  if (nearby_) write_nearby(json, request.table, column);
  return json.end_object().take();
}

void Service::write_nearby(JsonWriter& json, const Table& rows, std::size_t column) const {
  const std::vector<Nearby::Found> found = nearby_->along(rows, column);
  if (!found.empty()) {
    json.key("nearby").begin_array();
    for (const Nearby::Found& one : found) json.count(one.rows);
    json.end_array().key("apart").begin_array();
    for (const Nearby::Found& one : found) one.apart.empty() ? json.null() : json.text(one.apart);
    json.end_array();
  }
  if (model_.schema().features[column].is_number())
    json.key("rug").numbers(nearby_->values(column, kRug),
                            std::max(7, model_.schema().features[column].digits));
}

}  // namespace mirrorball::serve
