#include "report/report_json.h"

#include "mirrorball/version.h"
#include "report/feature_json.h"
#include "report/target_json.h"

namespace mirrorball::report {
namespace {

constexpr std::size_t kMostEpochs = 240;

Json model_json(const Findings& found, const ReportOptions& options) {
  const Model& model = found.model;
  return {{"name", options.model_name},   {"training_rows", model.training_rows()},
          {"networks", model.networks()}, {"parameters", model.parameters()},
          {"trees", model.trees()},       {"calibrated", !model.calibration().empty()},
          {"noisy", model.noisy()}};
}

Json data_json(const Findings& found, const ReportOptions& options) {
  return {{"name", options.data_name},
          {"rows", found.data.rows},
          {"used", found.data.row_numbers.size()},
          {"scored", found.scored()}};
}

/// Columns of features, outcomes and medians of the rows shown as dots.
Json dots(const Findings& found) {
  const Forecasts& all = found.forecasts;
  Json columns = Json::array(), outcomes = Json::array(), medians = Json::array();
  for (std::size_t f : found.fan_features) {
    Json column = Json::array();
    for (std::size_t row : found.dots) column.push_back(cell(found, row, f));
    columns.push_back(std::move(column));
  }
  for (std::size_t t = 0; t < all.targets; ++t) {
    const int digits = digits_of(found.schema().targets[t]);
    Json seen = Json::array(), median = Json::array();
    for (std::size_t row : found.dots) {
      if (found.scored()) seen.push_back(number(all.outcome(row, t), digits));
      median.push_back(number(all.at(row, t).median, digits));
    }
    outcomes.push_back(std::move(seen));
    medians.push_back(std::move(median));
  }
  return {{"columns", columns}, {"outcomes", outcomes}, {"medians", medians}};
}

/// Rows with joint draws of all targets.
Json joint(const Findings& found) {
  const Forecasts& all = found.forecasts;
  const ShownRows& shown = found.joint.shown;
  Json array = Json::array();
  for (std::size_t i = 0; i < shown.rows.size(); ++i) {
    Json one = {{"row", found.data.row_numbers[shown.rows[i]]},
                {"place", found.joint.places[i]},
                {"draws", Json::array()}};
    for (std::size_t t = 0; t < all.targets; ++t)
      one["draws"].push_back(numbers(shown.draws.draws(i, t), digits_of(found.schema().targets[t])));
    for (std::size_t t = 0; t < all.targets && found.scored(); ++t)
      one["outcome"].push_back(number(all.outcome(shown.rows[i], t), digits_of(found.schema().targets[t])));
    array.push_back(std::move(one));
  }
  Json result = {{"rows", array}, {"correlation", numbers(all.correlation, 3)}};
  if (found.scored()) {
    result["observed_correlation"] = numbers(all.observed_correlation, 3);
    result["energy_score"] = number(all.scores.energy_score.mean);
  }
  return result;
}

Json history(const std::vector<NetworkHistory>& networks) {
  Json array = Json::array();
  for (const NetworkHistory& network : networks) {
    const std::size_t step = network.train.size() / kMostEpochs + 1;
    Json train = Json::array(), valid = Json::array();
    for (std::size_t epoch = 0; epoch < network.train.size(); epoch += step)
      train.push_back(number(network.train[epoch], 4));
    for (std::size_t epoch = 0; epoch < network.valid.size(); epoch += step)
      valid.push_back(number(network.valid[epoch], 4));
    array.push_back({{"epochs", network.train.size()},
                     {"step", step},
                     {"train", train},
                     {"valid", valid},
                     {"best", network.best_epoch},
                     {"refit", network.refit}});
  }
  return array;
}

}  // namespace

std::string report_json(const Findings& found, const Report& words, const ReportOptions& options) {
  static constexpr const char* kWeights[] = {"note", "warn", "bad"};
  Json json = {{"title", options.title},
               {"version", MIRRORBALL_VERSION},
               {"model", model_json(found, options)},
               {"data", data_json(found, options)},
               {"samples", found.forecasts.samples},
               {"seed", options.seed},
               {"summary", words.summary}};
  json["warnings"] = Json::array();
  for (const Warning& one : words.warnings)
    json["warnings"].push_back({{"weight", kWeights[static_cast<int>(one.weight)]}, {"text", one.text}});
  json["features"] = Json::array();
  for (const ColumnSchema& feature : found.schema().features)
    json["features"].push_back(feature_json(feature));
  json["targets"] = Json::array();
  for (std::size_t t = 0; t < found.targets.size(); ++t) json["targets"].push_back(target_json(found, t));
  json["sample"] = dots(found);
  json["fans"] = Json::array();
  for (std::size_t i = 0; i < found.fans.size(); ++i)
    json["fans"].push_back(fan_json(found, found.fan_features[i], found.fans[i]));
  if (found.targets.size() > 1) json["joint"] = joint(found);
  json["history"] = history(found.model.history());
  json["drift"] = Json::array();
  for (std::size_t f = 0; f < found.data.drift.size(); ++f)
    json["drift"].push_back(drift_json(found.schema().features[f], found.data.drift[f]));
  json["drivers"] = {{"rows", found.drivers.rows},
                     {"background", found.drivers.background},
                     {"sets", found.drivers.sets},
                     {"exact", found.drivers.exact}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace mirrorball::report
