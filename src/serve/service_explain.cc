// Shapley values of one row.

#include <fmt/format.h>

#include <algorithm>

#include "explain/cost.h"
#include "serve/json_writer.h"
#include "serve/request_defaults.h"
#include "serve/service.h"

namespace mirrorball::serve {
namespace {

/// The field that is to blame where there is nothing to explain.
const char* explained_field(const ExplainOptions& options) {
  return options.where.everything() && options.of.kind != Functional::Kind::kRegion ? "target" : "where";
}

std::string explanation_json(const Explanation& found, const ExplainOptions& options) {
  JsonWriter json;
  json.begin_object().key("of").text(options.of.text());
  if (!found.target.empty()) json.key("target").text(found.target);
  if (!options.where.everything()) json.key("where").text(options.where.text());
  json.key("base").number(found.base[0]).key("output").number(found.output[0]);
  json.key("probability").number(found.probability[0]).key("features").begin_array();
  for (std::size_t i = 0; i < found.features.size(); ++i) {
    json.begin_object().key("name").text(found.features[i]).key("cell").text(found.cell(0, i));
    json.key("value").number(found.value(0, i)).key("error").number(found.error(0, i)).end_object();
  }
  json.end_array().key("samples").count(found.samples).key("background_rows").count(found.background.size());
  json.key("base_rows").count(found.base_rows);
  json.key("coalitions").count(found.coalitions).key("exact").boolean(found.exact);
  return json.end_object().take();
}

}  // namespace

ExplainOptions Service::read_explain_options(const Fields& fields) const {
  ExplainOptions options;
  options.of = blamed_on("of", [&] { return Functional::parse(fields.text("of", "mean")); });
  options.target = fields.text("target", "");
  if (const std::string where = fields.text("where", ""); !where.empty())
    options.where = blamed_on("where", [&] { return Region::parse(where, model_.targets()); });
  options.predict.samples = fields.whole("samples", kSummarySamples, 1, limits_.samples);
  options.predict.seed = fields.seed();
  options.predict.threads = threads_;
  options.background_rows = fields.whole("background_rows", kBackgroundRows, 1, limits_.background_rows);
  options.coalitions = fields.whole("coalitions", 0, 0, limits_.coalitions);
  return options;
}

std::size_t Service::explained_draws(const ExplainOptions& options) const {
  const shap::ExplainCost cost =
      shap::explain_cost(model_.schema().features.size(), background_.rows(), options);
  const std::size_t draws = (cost.rows() + cost.base_rows) * options.predict.samples;
  if (draws > limits_.explained)
    throw ApiError(
        413, "samples",
        fmt::format(
            "({} sets of features x {} background rows + {} rows of the base) x {} samples exceed the limit "
            "of {}",
            cost.coalitions, cost.background_rows, cost.base_rows, options.predict.samples,
            limits_.explained),
        "use fewer samples, background_rows or coalitions");
  return draws;
}

std::string Service::explain(const std::string& body, const ClientGone& gone) {
  Gate::Permit permit(light_);
  stop_if(gone);
  Json parsed = parse_body(body);
  const Fields fields(parsed,
                      {"row", "of", "target", "where", "samples", "seed", "background_rows", "coalitions"});
  const ExplainOptions options = read_explain_options(fields);
  const Table row = reader_.read(fields, 1);
  const std::size_t draws = explained_draws(options);
  parsed.erase("background_rows");  // what is left is the question
  if (options.background_rows > kRefinedRows) parsed["background_rows"] = options.background_rows;

  permit.move_to(heavy_);
  stop_if(gone);
  const Explanation found = blamed_on(explained_field(options), [&] {
    return explanations_.explain(parsed.dump(), row, options, [&] { stop_if(gone); });
  });
  metrics_.drew(1, draws);
  return explanation_json(found, options);
}

}  // namespace mirrorball::serve
