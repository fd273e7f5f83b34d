#include <nlohmann/json.hpp>

#include "mirrorball/version.h"
#include "serve/model_json.h"
#include "serve/request_defaults.h"
#include "table/instant.h"

namespace mirrorball::serve {
namespace {

using Ordered = nlohmann::ordered_json;

Ordered reference(const char* name) { return {{"$ref", std::string("#/components/schemas/") + name}}; }

Ordered whole(std::size_t fallback, std::size_t low, std::size_t high, const char* what) {
  return {
      {"type", "integer"}, {"minimum", low}, {"maximum", high}, {"default", fallback}, {"description", what}};
}

Ordered list_of(const Ordered& items) { return {{"type", "array"}, {"items", items}}; }

/// An object with the same kind of value for every target.
Ordered by_target(const Model& model, const Ordered& value) {
  Ordered properties;
  for (const std::string& target : model.targets()) properties[target] = value;
  return {{"type", "object"}, {"properties", properties}};
}

Ordered cell_schema(const ColumnSchema& feature) {
  if (feature.dates)
    return {{"type", {"string", "number", "null"}},
            {"description", "a date in ISO 8601, or seconds since 1970"},
            {"examples", {table::instant_text(feature.median, feature.span())}}};
  if (feature.is_number())
    return {{"type", {"number", "null"}}, {"examples", {feature.rounded(feature.median)}}};
  Ordered category = {{"type", {"string", "null"}}};
  if (!feature.categories.empty()) category["examples"] = {feature.categories.front()};
  return category;
}

Ordered row_schema(const Model& model) {
  Ordered properties;
  for (const ColumnSchema& feature : model.schema().features) properties[feature.name] = cell_schema(feature);
  return {
      {"type", "object"},
      {"description",
       "Values by feature. A feature that is left out or null is a missing value; a category that did not "
       "occur in training is treated as unknown."},
      {"properties", properties}};
}

Ordered json_body(const Ordered& properties) {
  return {
      {"required", true},
      {"content",
       {{"application/json",
         {{"schema", {{"type", "object"}, {"additionalProperties", false}, {"properties", properties}}}}}}}};
}

Ordered answers(const char* what, const Ordered& schema, const char* type = "application/json") {
  return {{"200", {{"description", what}, {"content", {{type, {{"schema", schema}}}}}}},
          {"default",
           {{"description", "The request was refused"},
            {"content", {{"application/json", {{"schema", reference("Error")}}}}}}}};
}

Ordered get(const char* summary, const Ordered& responses) {
  return {{"get", {{"summary", summary}, {"responses", responses}}}};
}

Ordered post(const char* summary, const Ordered& body, const Ordered& responses) {
  return {{"post", {{"summary", summary}, {"requestBody", body}, {"responses", responses}}}};
}

/// The fields of a request for samples, and some more.
Ordered asking(const ServiceLimits& limits, const Ordered& more = Ordered::object()) {
  Ordered properties = {
      {"row", reference("Row")},
      {"rows", {{"type", "array"}, {"items", reference("Row")}, {"minItems", 1}, {"maxItems", limits.rows}}},
      {"samples", whole(kSummarySamples, 1, limits.samples, "samples per row")},
      {"seed", whole(0, 0, std::size_t{1} << 53, "the same seed gives the same samples")}};
  properties.update(more);
  return properties;
}

Ordered number(const char* what) { return {{"type", "number"}, {"description", what}}; }
Ordered number_or_date(const char* what) { return {{"type", {"number", "string"}}, {"description", what}}; }
Ordered text(const char* what) { return {{"type", "string"}, {"description", what}}; }

/// An uncertainty and the two parts that add up to it.
Ordered parts_of(const char* what) {
  return {{"type", "object"},
          {"description", what},
          {"properties",
           {{"total", number("aleatoric + epistemic")},
            {"aleatoric", number("what a network expects by itself, on average over the networks")},
            {"epistemic", number("what the networks disagree about")}}}};
}

Ordered uncertainty_schema() {
  return {{"type", "object"},
          {"description", "only where it is requested"},
          {"properties",
           {{"variance", parts_of("variance of the samples")},
            {"expected_crps",
             parts_of("CRPS that the forecast expects if the outcome follows it: half the mean distance of "
                      "two samples")}}}};
}

Ordered predict_path(const Model& model, const ServiceLimits& limits) {
  const Ordered summary = {{"type", "object"},
                           {"properties",
                            {{"mean", number("")},
                             {"sd", number("")},
                             {"median", number("")},
                             {"interval", list_of({{"type", "number"}})},
                             {"uncertainty", uncertainty_schema()}}}};
  Ordered body = json_body(asking(
      limits,
      {{"coverage",
        {{"type", "number"}, {"default", 0.9}, {"description", "coverage of the central interval"}}},
       {"uncertainty",
        {{"type", "boolean"},
         {"default", false},
         {"description", "variance and expected CRPS too, split into aleatoric and epistemic part"}}}}));
  body["content"]["text/csv"] = {{"schema", text("a table with a header line; the answer is CSV too")}};
  Ordered path = post(
      "Mean, standard deviation, median and central interval; or a table in, a table out", body,
      answers("One object per row",
              {{"type", "object"},
               {"properties",
                {{"samples", {{"type", "integer"}}}, {"predictions", list_of(by_target(model, summary))}}}}));
  path["post"]["responses"]["200"]["content"]["text/csv"] = {{"schema", {{"type", "string"}}}};
  const auto parameter = [](const char* name, const char* what) -> Ordered {
    return {{"name", name}, {"in", "query"}, {"schema", {{"type", "string"}}}, {"description", what}};
  };
  path["post"]["parameters"] = {
      parameter("quantiles", "for CSV: quantiles at these levels, for example 0.1,0.5,0.9"),
      parameter("interval",
                "for CSV: central interval with this coverage, in columns such as y_lower_90 and y_upper_90; "
                "may be repeated"),
      parameter(
          "uncertainty",
          "for CSV: variance and expected CRPS with their aleatoric and epistemic parts, in columns such "
          "as y_variance_epistemic"),
      parameter("samples", "for CSV: this many samples"),
      parameter("mean", "for CSV: the mean"),
      parameter("keep", "for CSV: a column of the table to write before the predictions; may be repeated"),
      parameter("seed", "for CSV: random seed")};
  return path;
}

Ordered explain_path(const ServiceLimits& limits) {
  const Ordered feature = {
      {"type", "object"},
      {"properties",
       {{"name", text("")},
        {"cell", text("value in the row")},
        {"value", number("contribution")},
        {"error", number("standard error of the contribution; 0 = exact, null = unknown")}}}};
  return post(
      "Shapley values: what each feature contributes to the forecast, or to a region of it",
      json_body({{"row", reference("Row")},
                 {"of", text("mean, sd, median, quantile:P, width:C or region (the probability of `where`)")},
                 {"target", text("target to explain, if there are several; default: the target in `where`")},
                 {"where", text("region of the targets, for example \"y > 2 and y <= 3\"")},
                 {"samples", whole(kSummarySamples, 1, limits.samples, "samples per row")},
                 {"background_rows",
                  whole(kBackgroundRows, 1, limits.background_rows, "background rows to compare with")},
                 {"coalitions", whole(0, 0, limits.coalitions,
                                      "sets of features to evaluate with each background row, at most; "
                                      "0 = automatic")},
                 {"seed", whole(0, 0, std::size_t{1} << 53, "the same seed gives the same result")}}),
      answers("Shapley values; base plus the sum of the contributions is output",
              {{"type", "object"},
               {"properties",
                {{"of", text("as in the request")},
                 {"target", text("explained target; absent for the probability of a region")},
                 {"where", text("as in the request")},
                 {"base", number("mean over the background rows")},
                 {"output", number("forecast of this row")},
                 {"probability", number("probability of the region for this row")},
                 {"features", list_of(feature)},
                 {"samples", {{"type", "integer"}}},
                 {"background_rows", {{"type", "integer"}}},
                 {"base_rows", {{"type", "integer"}}},
                 {"coalitions", {{"type", "integer"}}},
                 {"exact", {{"type", "boolean"}}}}}}));
}

Ordered functions_path(const Model& model, const ServiceLimits& limits) {
  return post(
      "Sample functions: the noise is fixed and one feature varies",
      json_body({{"row", reference("Row")},
                 {"vary", text("numeric feature to vary")},
                 {"from", number_or_date("first value; default: training minimum")},
                 {"to", number_or_date("last value; default: training maximum")},
                 {"points", whole(kFunctionPoints, 2, limits.levels, "number of values")},
                 {"count", whole(kFunctions, 1, limits.levels, "number of functions")},
                 {"seed", whole(0, 0, std::size_t{1} << 53, "the same seed gives the same functions")}}),
      answers("For every target a list of functions, each a list of values",
              {{"type", "object"},
               {"properties",
                {{"vary", text("")},
                 {"values", list_of({{"type", "number"}})},
                 {"functions", by_target(model, list_of(list_of({{"type", "number"}})))}}}}));
}

Ordered along_path(const Model& model, const ServiceLimits& limits) {
  const Ordered cell = {{"type", {"number", "string", "null"}}};
  const Ordered numbers = list_of({{"type", "number"}});
  return post(
      "Quantiles along a feature: the row with one cell changed",
      json_body({{"row", reference("Row")},
                 {"vary", text("feature to vary")},
                 {"values",
                  {{"type", "array"},
                   {"items", cell},
                   {"description", "its values; default: by from, to and points"}}},
                 {"from", number_or_date("first value; default: training minimum")},
                 {"to", number_or_date("last value; default: training maximum")},
                 {"points", whole(kAlongPoints, 2, limits.levels, "number of values")},
                 {"levels", numbers},
                 {"samples", whole(kSummarySamples, 1, limits.samples, "samples per value")},
                 {"seed", whole(0, 0, std::size_t{1} << 53, "the same seed gives the same samples")}}),
      answers("For every target a list with the quantiles at each value",
              {{"type", "object"},
               {"properties",
                {{"vary", text("")},
                 {"samples", {{"type", "integer"}}},
                 {"levels", numbers},
                 {"values", list_of(cell)},
                 {"quantiles", by_target(model, list_of(numbers))},
                 {"nearby",
                  {{"type", "array"},
                   {"items", {{"type", "integer"}}},
                   {"description", "rows of the background table near each value; absent without one"}}},
                 {"apart",
                  {{"type", "array"},
                   {"items", {{"type", {"string", "null"}}}},
                   {"description",
                    "where no row is near: the feature whose cell does not occur with "
                    "this value"}}},
                 {"rug",
                  {{"type", "array"},
                   {"items", {{"type", "number"}}},
                   {"description", "some values of the feature in the background table"}}}}}}));
}

Ordered row_path(const Model& model) {
  Ordered path = get("A row of the background table",
                     answers("The row", {{"type", "object"},
                                         {"properties",
                                          {{"number", {{"type", "integer"}}},
                                           {"row", reference("Row")},
                                           {"outcome", by_target(model, number(""))}}}}));
  path["get"]["parameters"] = {{{"name", "number"},
                                {"in", "query"},
                                {"required", true},
                                {"schema", {{"type", "integer"}, {"minimum", 0}}}}};
  return path;
}

}  // namespace

std::string describe_api(const Model& model, const std::string& name, const ServiceLimits& limits) {
  const Ordered numbers = list_of({{"type", "number"}});
  const auto listed = [&](const char* title) -> Ordered {
    return {
        {"type", "object"},
        {"properties", {{"samples", {{"type", "integer"}}}, {title, list_of(by_target(model, numbers))}}}};
  };
  Ordered api = {{"openapi", "3.1.0"},
                 {"info",
                  {{"title", "Mirrorball: " + name},
                   {"version", MIRRORBALL_VERSION},
                   {"description", "Predictive distributions of a fitted model."}}}};
  Ordered& paths = api["paths"];
  paths["/v1/model"] = get("Features, targets and limits", answers("The model", {{"type", "object"}}));
  paths["/v1/predict"] = predict_path(model, limits);
  paths["/v1/sample"] = post("Samples from the predictive distribution", json_body(asking(limits)),
                             answers("One object per row", listed("draws")));
  paths["/v1/quantiles"] = post("Quantiles", json_body(asking(limits, {{"levels", numbers}})),
                                answers("One object per row", listed("quantiles")));
  paths["/v1/explain"] = explain_path(limits);
  paths["/v1/along"] = along_path(model, limits);
  paths["/v1/functions"] = functions_path(model, limits);
  paths["/v1/row"] = row_path(model);
  paths["/healthz"] = get("Health check", answers("ok", {{"type", "string"}}, "text/plain"));
  paths["/metrics"] =
      get("Metrics in the Prometheus format", answers("text", {{"type", "string"}}, "text/plain"));
  api["components"] = {{"schemas",
                        {{"Row", row_schema(model)},
                         {"Error",
                          {{"type", "object"},
                           {"properties",
                            {{"error",
                              {{"type", "object"},
                               {"properties",
                                {{"status", {{"type", "integer"}}},
                                 {"field", text("field of the request that caused the error")},
                                 {"reason", text("what is wrong")},
                                 {"hint", text("how to fix it")}}}}}}}}}}},
                       {"securitySchemes", {{"token", {{"type", "http"}, {"scheme", "bearer"}}}}}};
  api["security"] = {Ordered::object(), {{"token", Ordered::array()}}};
  return api.dump(-1, ' ', false, Ordered::error_handler_t::replace);
}

}  // namespace mirrorball::serve
