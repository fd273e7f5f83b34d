#include "report/report_json.h"

#include <algorithm>

#include "mirrorball/version.h"
#include "report/feature_json.h"
#include "report/slice_json.h"
#include "report/target_json.h"
#include "score/chance.h"

namespace mirrorball::report {
namespace {

constexpr std::size_t kMostEpochs = 240;

/// What the samples of each target come from beside the networks, as shares of them; of the boosted trees,
/// how far they move them.
Json parts_json(const Model& model) {
  Json parts = Json::array();
  for (const Calibration& target : model.calibration())
    parts.push_back({{"forest", number(target.forest_weight, 3)},
                     {"process", number(target.process_weight, 3)},
                     {"neighbours", number(target.neighbour_weight, 3)},
                     {"boosted", number(target.boost_weight, 3)}});
  return parts;
}

Json model_json(const Findings& found, const ReportOptions& options) {
  const Model& model = found.model;
  const bool calibrated = !model.calibration().empty();
  return {{"name", options.model_name},   {"training_rows", model.training_rows()},
          {"networks", model.networks()}, {"parameters", model.parameters()},
          {"trees", model.trees()},       {"parts", parts_json(model)},
          {"calibrated", calibrated},     {"noisy", model.noisy()}};
}

Json data_json(const Findings& found, const ReportOptions& options) {
  return {{"name", options.data_name},
          {"rows", found.data.rows},
          {"used", found.data.row_numbers.size()},
          {"scored", found.scored()}};
}

/// Shares of the ranks of joint outcomes over equal bins, with their band.
Json rank_histogram(const std::vector<double>& ranks) {
  constexpr std::size_t kBins = 10;
  std::vector<double> shares(kBins, 0.0);
  for (double rank : ranks)
    shares[std::min(kBins - 1, static_cast<std::size_t>(rank * kBins))] +=
        1 / static_cast<double>(ranks.size());
  const scoring::Band band = scoring::chance_band(ranks.size(), 1.0 / kBins, 1 - 0.05 / kBins);
  return {{"shares", numbers(shares, 4)}, {"low", number(band.low)}, {"high", number(band.high)}};
}

/// A second model, target by target.
Json other_json(const Findings& found, const Report& words, const ReportOptions& options) {
  const OtherModel& other = *found.other;
  Json targets = Json::array();
  for (std::size_t t = 0; t < other.targets.size(); ++t)
    targets.push_back({{"words", words.comparison[t]},
                       {"scores", scores_json(other.targets[t].scores, true)},
                       {"paired", paired_json(other.targets[t].paired)},
                       {"calibration", check_json(other.forecasts.scores.targets[t].calibration)},
                       {"slices", slice_differences_json(found, t)}});
  return {{"name", options.other_name},
          {"training_rows", other.model.training_rows()},
          {"features", other.model.features().size()},
          {"targets", targets}};
}

/// The names of all rows that the page can show, by their numbers.
Json row_names(const Findings& found) {
  Json names = Json::object();
  const auto add = [&](const std::vector<std::size_t>& rows) {
    for (std::size_t row : rows)
      names[std::to_string(found.data.row_numbers[row])] = found.data.row_names[row];
  };
  add({found.base_row});
  add(found.sample_rows);
  add(found.drivers.explained);
  add(found.joint.shown.rows);
  for (const TargetFindings& target : found.targets) {
    add(target.best.rows);
    add(target.worst.rows);
  }
  return names;
}

/// Rows with joint samples of all targets.
Json joint(const Findings& found) {
  const Forecasts& all = found.forecasts;
  const ShownRows& shown = found.joint.shown;
  Json array = Json::array();
  for (std::size_t i = 0; i < shown.rows.size(); ++i) {
    Json one = {{"row", found.data.row_numbers[shown.rows[i]]},
                {"place", found.joint.places[i]},
                {"draws", Json::array()}};
    for (std::size_t t = 0; t < all.targets; ++t)
      one["draws"].push_back(numbers(shown.samples.row_samples(i, t), digits_of(found.schema().targets[t])));
    for (std::size_t t = 0; t < all.targets && found.scored(); ++t)
      one["outcome"].push_back(number(all.outcome(shown.rows[i], t), digits_of(found.schema().targets[t])));
    array.push_back(std::move(one));
  }
  Json result = {{"rows", array}, {"correlation", numbers(all.correlation, 3)}};
  if (found.scored()) {
    result["observed_correlation"] = numbers(all.observed_correlation, 3);
    result["energy_score"] = number(all.scores.energy_score.mean);
    result["variogram_score"] = number(all.variogram_score);
    result["ranks"] = rank_histogram(all.joint_ranks);
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
  json["sample"] = sample_json(found);
  json["base_row"] = found.data.row_numbers[found.base_row];
  if (!options.id.empty()) json["id"] = {{"column", options.id}, {"names", row_names(found)}};
  json["fans"] = Json::array();
  for (std::size_t i = 0; i < found.fans.size(); ++i)
    json["fans"].push_back(fan_json(found, found.fan_features[i], found.fans[i]));
  if (found.targets.size() > 1) json["joint"] = joint(found);
  if (found.other) json["other"] = other_json(found, words, options);
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
