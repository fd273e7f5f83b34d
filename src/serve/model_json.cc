#include "serve/model_json.h"

#include <algorithm>
#include <array>

#include "mirrorball/version.h"
#include "serve/json_writer.h"

namespace mirrorball::serve {
namespace {

/// Probability levels of the training quantiles that are given.
constexpr std::array<double, 13> kLevels = {0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1};

/// Training quantiles, smallest to largest.
void write_numbers(JsonWriter& json, const ColumnSchema& column) {
  const int digits = column.digits;
  json.key("low").number(column.training_quantile(0), digits);
  json.key("high").number(column.training_quantile(1), digits);
  const std::optional<int> decimals = column.decimals();
  json.key("whole").boolean(decimals == 0).key("digits").number(digits).key("decimals");
  decimals ? json.number(*decimals) : json.null();
  json.key("quantiles").begin_array();
  for (double level : kLevels) json.number(column.training_quantile(level), digits);
  json.end_array();
}

/// The range that samples can have; null where nothing limits them.
void write_limits(JsonWriter& json, const ColumnSchema& target) {
  json.key("limits").begin_array();
  for (const double end : {target.limits().low, target.limits().high}) json.number(end, target.digits);
  json.end_array();
}

void write_feature(JsonWriter& json, const ColumnSchema& feature, const std::vector<double>* effects,
                   bool mostly_missing) {
  json.begin_object().key("name").text(feature.name);
  if (feature.is_number()) {
    json.key("type").text("number").key("typical").number(feature.median, feature.digits);
    json.key("dates").boolean(feature.dates);
    write_numbers(json, feature);
  } else {
    json.key("type").text("category").key("typical");
    mostly_missing || feature.categories.empty() ? json.null() : json.text(feature.categories.front());
    for (const char* key : {"categories", "levels"}) {  // the second is the name in version 0.1
      json.key(key).begin_array();
      for (const std::string& category : feature.categories) json.text(category);
      json.end_array();
    }
  }
  for (const char* key : {"missing", "gaps"}) json.key(key).boolean(feature.missing);  // likewise
  if (effects) json.key("effects").numbers(*effects);
  json.end_object();
}

}  // namespace

std::string describe_model(const Model& model, const Served& served, const ServiceLimits& limits) {
  JsonWriter json;
  json.begin_object()
      .key("name")
      .text(served.name)
      .key("id")
      .text(served.id)
      .key("version")
      .text(MIRRORBALL_VERSION);
  json.key("targets").begin_array();
  for (const ColumnSchema& target : model.schema().targets) {
    json.begin_object().key("name").text(target.name);
    write_numbers(json, target);
    write_limits(json, target);
    json.end_object();
  }
  json.end_array().key("features").begin_array();
  const std::vector<ColumnSchema>& features = model.schema().features;
  for (std::size_t f = 0; f < features.size(); ++f)
    write_feature(json, features[f], served.effects.empty() ? nullptr : &served.effects[f],
                  !served.mostly_missing.empty() && served.mostly_missing[f]);
  json.end_array().key("levels").numbers(kLevels);
  json.key("training_rows").count(model.training_rows()).key("networks").count(model.networks());
  json.key("parameters").count(model.parameters());
  json.key("calibrated").boolean(!model.calibration().empty()).key("noisy").boolean(model.noisy());
  json.key("background").text(served.background_rows > 0 ? "given" : "made");
  json.key("background_rows").count(served.background_rows);
  json.key("limits").begin_object().key("rows").count(limits.rows).key("csv_rows").count(limits.csv_rows);
  json.key("samples").count(limits.samples).key("draws").count(limits.draws);
  return json.end_object().end_object().take();
}

}  // namespace mirrorball::serve
