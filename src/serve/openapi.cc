#include <nlohmann/json.hpp>

#include "mirrorball/version.h"
#include "serve/model_json.h"
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
            {"description", "a date as ISO 8601 writes it, or seconds since 1970"},
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
  return {{"type", "object"},
          {"description",
           "Values by feature. One that is missing or null is a gap; an unknown level says nothing."},
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
           {{"description", "Why the request was refused"},
            {"content", {{"application/json", {{"schema", reference("Error")}}}}}}}};
}

Ordered get(const char* summary, const Ordered& responses) {
  return {{"get", {{"summary", summary}, {"responses", responses}}}};
}

Ordered post(const char* summary, const Ordered& body, const Ordered& responses) {
  return {{"post", {{"summary", summary}, {"requestBody", body}, {"responses", responses}}}};
}

/// The members of a request for draws, and some more.
Ordered asking(const ServiceLimits& limits, const Ordered& more = Ordered::object()) {
  Ordered properties = {
      {"row", reference("Row")},
      {"rows", {{"type", "array"}, {"items", reference("Row")}, {"minItems", 1}, {"maxItems", limits.rows}}},
      {"samples", whole(kSummarySamples, 1, limits.samples, "draws of a row")},
      {"seed", whole(0, 0, std::size_t{1} << 53, "same seed, same draws")}};
  properties.update(more);
  return properties;
}

Ordered number(const char* what) { return {{"type", "number"}, {"description", what}}; }
Ordered number_or_date(const char* what) { return {{"type", {"number", "string"}}, {"description", what}}; }
Ordered text(const char* what) { return {{"type", "string"}, {"description", what}}; }

Ordered predict_path(const Model& model, const ServiceLimits& limits) {
  const Ordered summary = {{"type", "object"},
                           {"properties",
                            {{"mean", number("")},
                             {"sd", number("")},
                             {"median", number("")},
                             {"interval", list_of({{"type", "number"}})}}}};
  Ordered body = json_body(asking(
      limits,
      {{"coverage", {{"type", "number"}, {"default", 0.9}, {"description", "of the central interval"}}}}));
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
  path["post"]["parameters"] = {parameter("quantiles", "for CSV: these levels, as 0.1,0.5,0.9"),
                                parameter("interval", "for CSV: the central interval of this coverage"),
                                parameter("samples", "for CSV: so many draws"),
                                parameter("mean", "for CSV: the mean alone"), parameter("seed", "for CSV")};
  return path;
}

Ordered explain_path(const ServiceLimits& limits) {
  const Ordered feature = {
      {"type", "object"},
      {"properties",
       {{"name", text("")}, {"cell", text("what stands in the row")}, {"value", number("its share")}}}};
  return post(
      "Shapley values: what each feature contributes to the forecast, or to a region of it",
      json_body(
          {{"row", reference("Row")},
           {"of", text("mean, sd, median, quantile:P, width:C or region (the probability of `where`)")},
           {"target",
            text("whose draws, where there are several targets; without it the one that `where` is about")},
           {"where", text("a region of the targets, as \"y > 2 and y <= 3\"")},
           {"samples", whole(kScoreSamples, 1, limits.samples, "draws of a row")},
           {"background_rows", whole(50, 1, 10'000, "rows to compare with")},
           {"coalitions",
            whole(0, 0, 1'000'000, "sets of features, beyond 12 features; 0: 2 per feature + 2048")},
           {"seed", whole(0, 0, std::size_t{1} << 53, "same seed, same answer")}}),
      answers("base plus the sum of the values is output",
              {{"type", "object"},
               {"properties",
                {{"of", text("as asked for")},
                 {"target", text("whose draws; not for a region's probability")},
                 {"where", text("as asked for")},
                 {"base", number("mean over the background")},
                 {"output", number("at this row")},
                 {"probability", number("of the region at this row")},
                 {"features", list_of(feature)},
                 {"samples", {{"type", "integer"}}},
                 {"background_rows", {{"type", "integer"}}},
                 {"coalitions", {{"type", "integer"}}},
                 {"exact", {{"type", "boolean"}}}}}}));
}

Ordered functions_path(const Model& model) {
  return post("Sample functions: the noise is fixed, one feature varies",
              json_body({{"row", reference("Row")},
                         {"vary", text("a feature that is a number")},
                         {"from", number_or_date("its first value; the smallest of training without it")},
                         {"to", number_or_date("its last value; the largest of training without it")},
                         {"points", whole(60, 2, 1000, "values between them")},
                         {"count", whole(20, 1, 1000, "functions")},
                         {"seed", whole(0, 0, std::size_t{1} << 53, "same seed, same functions")}}),
              answers("For every target a list of functions, each a list of values",
                      {{"type", "object"},
                       {"properties",
                        {{"vary", text("")},
                         {"values", list_of({{"type", "number"}})},
                         {"functions", by_target(model, list_of(list_of({{"type", "number"}})))}}}}));
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
                   {"description", "Whole predictive distributions of a fitted model."}}}};
  Ordered& paths = api["paths"];
  paths["/v1/model"] = get("Features, targets and limits", answers("The model", {{"type", "object"}}));
  paths["/v1/predict"] = predict_path(model, limits);
  paths["/v1/sample"] =
      post("Draws", json_body(asking(limits)), answers("One object per row", listed("draws")));
  paths["/v1/quantiles"] = post("Quantiles", json_body(asking(limits, {{"levels", numbers}})),
                                answers("One object per row", listed("quantiles")));
  paths["/v1/explain"] = explain_path(limits);
  paths["/v1/functions"] = functions_path(model);
  paths["/healthz"] = get("Whether the server is up", answers("ok", {{"type", "string"}}, "text/plain"));
  paths["/metrics"] = get("Counters for Prometheus", answers("text", {{"type", "string"}}, "text/plain"));
  api["components"] = {{"schemas",
                        {{"Row", row_schema(model)},
                         {"Error",
                          {{"type", "object"},
                           {"properties",
                            {{"error",
                              {{"type", "object"},
                               {"properties",
                                {{"status", {{"type", "integer"}}},
                                 {"field", text("what is to blame")},
                                 {"reason", text("what is wrong with it")},
                                 {"hint", text("a way out")}}}}}}}}}}},
                       {"securitySchemes", {{"token", {{"type", "http"}, {"scheme", "bearer"}}}}}};
  api["security"] = {Ordered::object(), {{"token", Ordered::array()}}};
  return api.dump(-1, ' ', false, Ordered::error_handler_t::replace);
}

}  // namespace mirrorball::serve
