#include "serve/model_json.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "mirrorball/version.h"
#include "serve/json_writer.h"

namespace mirrorball::serve {
namespace {

/// Levels at which training values are told.
constexpr std::array<double, 13> kLevels = {0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1};

/// Whether the training values are whole numbers; a few knots lie between two of them.
bool mostly_whole(const ColumnSchema& column) {
  const std::vector<double>& knots = column.knots;
  const auto whole = std::count_if(knots.begin(), knots.end(), [](double knot) {
    return std::fabs(knot - std::nearbyint(knot)) <= 1e-6 * std::fabs(knot);
  });
  return column.has_quantiles() && static_cast<double>(whole) > 0.9 * static_cast<double>(knots.size());
}

/// Training quantiles, smallest to largest.
void write_numbers(JsonWriter& json, const ColumnSchema& column) {
  const int digits = column.digits;
  json.key("low").number(column.training_quantile(0), digits);
  json.key("high").number(column.training_quantile(1), digits);
  json.key("whole").boolean(mostly_whole(column)).key("digits").number(digits);
  json.key("quantiles").begin_array();
  for (double level : kLevels) json.number(column.training_quantile(level), digits);
  json.end_array();
}

void write_feature(JsonWriter& json, const ColumnSchema& feature) {
  json.begin_object().key("name").text(feature.name);
  if (feature.is_number()) {
    json.key("type").text("number").key("typical").number(feature.median, feature.digits);
    json.key("dates").boolean(feature.dates);
    write_numbers(json, feature);
  } else {
    json.key("type").text("category").key("typical");
    feature.categories.empty() ? json.null() : json.text(feature.categories.front());
    json.key("levels").begin_array();
    for (const std::string& category : feature.categories) json.text(category);
    json.end_array();
  }
  json.key("gaps").boolean(feature.missing).end_object();
}

}  // namespace

std::string describe_model(const Model& model, const std::string& name, const ServiceLimits& limits,
                           bool own_background) {
  JsonWriter json;
  json.begin_object().key("name").text(name).key("version").text(MIRRORBALL_VERSION);
  json.key("targets").begin_array();
  for (const ColumnSchema& target : model.schema().targets) {
    json.begin_object().key("name").text(target.name);
    write_numbers(json, target);
    json.end_object();
  }
  json.end_array().key("features").begin_array();
  for (const ColumnSchema& feature : model.schema().features) write_feature(json, feature);
  json.end_array().key("levels").numbers(kLevels);
  json.key("training_rows").count(model.training_rows()).key("networks").count(model.networks());
  json.key("parameters").count(model.parameters());
  json.key("calibrated").boolean(!model.calibration().empty()).key("noisy").boolean(model.noisy());
  json.key("background").text(own_background ? "given" : "made");
  json.key("limits").begin_object().key("rows").count(limits.rows).key("csv_rows").count(limits.csv_rows);
  json.key("samples").count(limits.samples).key("draws").count(limits.draws);
  return json.end_object().end_object().take();
}

}  // namespace mirrorball::serve
