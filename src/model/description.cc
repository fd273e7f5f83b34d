#include "model/description.h"

#include "base/error.h"
#include "mirrorball/version.h"
#include "model/fit_report_json.h"
#include "model/plan_json.h"
#include "model/stored_features.h"

namespace mirrorball::model {
namespace {

using Json = nlohmann::ordered_json;

Json options_json(const Options& options) {
  Json json;
  for (const OptionInfo& info : option_list()) {
    if (!info.stored) continue;
    const std::string text = get_option(options, info.name);
    json[info.name] = info.kind == "choice" ? Json(text) : Json::parse(text);
  }
  return json;
}

}  // namespace

Json description_json(const Model::Parts& parts) {
  Json json;
  json["mirrorball"] = MIRRORBALL_VERSION;
  json["training_rows"] = parts.training_rows;
  json["networks"] = parts.weights.size();
  json["targets"] = Json::array();
  for (std::size_t t = 0; t < parts.targets.size(); ++t)
    json["targets"].push_back(
        {{"name", parts.targets[t]}, {"transform", transform_name(parts.transforms[t].kind())}});
  json["features"] = features_json(parts.encoder.features());
  json["options"] = options_json(parts.options);
  json["plan"] = plan_json(parts.plan);
  json["calibration"] = Json::array();
  for (const Calibration& one : parts.calibration)
    json["calibration"].push_back({{"forest_share", one.forest_weight},
                                   {"process_share", one.process_weight},
                                   {"neighbour_share", one.neighbour_weight},
                                   {"boost_weight", one.boost_weight},
                                   {"factor", one.spread},
                                   {"tail_share", one.tail_weight},
                                   {"tail_factor", one.tail_spread},
                                   {"level_factor", one.interval}});
  json["history"] = Json::array();
  for (const NetworkHistory& network : parts.history)
    json["history"].push_back({{"best_epoch", network.best_epoch},
                               {"stopped", network.stopped},
                               {"refit", network.refit},
                               {"train", network.train},
                               {"valid", network.valid}});
  if (parts.report.rows > 0) json["fit_report"] = fit_report_json(parts.report);
  return json;
}

Options load_options(const Json& json) {
  Options options;
  for (const auto& [name, value] : json.items())
    set_option(options, name, value.is_string() ? value.get<std::string>() : value.dump());
  return options;
}

/// Numbers a damaged file could hold must not make forecasts of nonsense.
Calibration load_calibration(const Json& json) {
  const auto number = [&](const char* name, double low, double high) {
    const double value = json.at(name).get<double>();
    if (!(value >= low && value <= high))
      bad_input("its calibration has {} {}, outside the range {} to {}", name, value, low, high);
    return value;
  };
  const double forest = number("forest_share", 0, 1),
               process = json.contains("process_share") ? number("process_share", 0, 1 - forest) : 0,
               neighbours =
                   json.contains("neighbour_share") ? number("neighbour_share", 0, 1 - forest - process) : 0;
  return {forest,
          process,
          neighbours,
          json.contains("boost_weight") ? number("boost_weight", 0, 1) : 0,
          number("factor", 0, 100),
          number("tail_share", 0, 1),
          number("tail_factor", 0, 100),
          number("level_factor", 0, 100)};
}

NetworkHistory load_history(const Json& json) {
  NetworkHistory history;
  history.best_epoch = json.at("best_epoch").get<int>();
  history.stopped = json.at("stopped").get<bool>();
  history.refit = json.value("refit", false);
  history.train = json.at("train").get<std::vector<double>>();
  history.valid = json.at("valid").get<std::vector<double>>();
  const std::size_t epochs = history.valid.size();
  if (history.train.size() != epochs || history.best_epoch < 1 ||
      static_cast<std::size_t>(history.best_epoch) > epochs)
    bad_input("its history has {} epochs, but epoch {} is marked as the best", epochs, history.best_epoch);
  return history;
}

}  // namespace mirrorball::model
