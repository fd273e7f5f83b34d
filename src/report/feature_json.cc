#include "report/feature_json.h"

#include <algorithm>
#include <cmath>

#include "report/slice_json.h"

namespace mirrorball::report {
namespace {

constexpr std::size_t kShownUnseen = 5;

}  // namespace

Json cell(const Findings& found, std::size_t row, std::size_t f) {
  const ColumnSchema& feature = found.schema().features[f];
  const std::size_t column = found.data.table.column(feature.name);
  if (feature.is_number()) {
    const double value = found.data.table.number(row, column);
    const bool whole =
        value == std::nearbyint(value) && std::fabs(value) < 1e15;  // a key needs all of its digits
    return whole ? Json(static_cast<std::int64_t>(value)) : number(value, digits_of(feature));
  }
  const std::int32_t code = found.data.table.code(row, column);
  return code == Table::kMissing ? Json()
                                 : Json(found.data.table.categories(column)[static_cast<std::size_t>(code)]);
}

Json feature_json(const ColumnSchema& feature) {
  Json one = {{"name", feature.name}, {"type", feature.is_number() ? "number" : "category"}};
  if (feature.is_number()) {
    const TrainingColumn training(feature);
    one["low"] = number(training.low(), digits_of(feature));
    one["high"] = number(training.high(), digits_of(feature));
    one["spread"] = number(training.quantile(0.95) - training.quantile(0.05));
    if (feature.dates) one["dates"] = true;
  } else {
    one["categories"] = feature.categories.size();
  }
  return one;
}

Json fan_json(const Findings& found, std::size_t f, const Fan& fan) {
  const ColumnSchema& feature = found.schema().features[f];
  Json one = {{"feature", f}};
  if (feature.is_number())
    one["values"] = numbers(fan.values, digits_of(feature));
  else
    one["categories"] = fan.categories;
  one["typical"] = Json::array();
  for (std::size_t t = 0; t < fan.quantiles.size(); ++t) {
    Json line = Json::array();
    for (const auto& quantiles : fan.quantiles[t])
      line.push_back(numbers(quantiles, digits_of(found.schema().targets[t])));
    one["typical"].push_back(std::move(line));
  }
  Json near = Json::array();
  for (const std::uint8_t one_near : fan.near) near.push_back(one_near);
  one["near"] = std::move(near);
  one["slices"] = Json::array();
  one["pooled"] = Json(std::vector<Json>(fan.quantiles.size(), Json::array()));
  for (const PooledSlice& slice : fan.slices) {
    one["slices"].push_back(slice_place(feature, slice.slice, slice.rows));
    for (std::size_t t = 0; t < slice.targets.size(); ++t) {
      const int digits = digits_of(found.schema().targets[t]);
      Json both = {{"forecast", numbers(slice.targets[t].forecast, digits)}};
      if (found.scored()) {
        both["outcome"] = numbers(slice.targets[t].outcome, digits);
        both["covered"] = slice.targets[t].covered;
        both["mass"] = number(slice.targets[t].mass, 4);
      }
      one["pooled"][t].push_back(std::move(both));
    }
  }
  return one;
}

Json drift_json(const ColumnSchema& feature, const FeatureDrift& one) {
  static constexpr const char* kVerdicts[] = {"same", "some", "large"};
  Json json = {{"name", one.name},
               {"verdict", kVerdicts[static_cast<int>(one.verdict)]},
               {"words", one.words},
               {"missing", one.missing}};
  if (one.type == ColumnType::kCategory) {
    json["categories"] = one.training_categories;
    json["met"] = one.categories_met;
    json["unseen_rows"] = one.unseen_rows;
    json["unseen"] = std::vector<std::string>(
        one.unseen_categories.begin(),
        one.unseen_categories.begin() +
            static_cast<std::ptrdiff_t>(std::min(kShownUnseen, one.unseen_categories.size())));
    return json;
  }
  const int digits = digits_of(feature);
  json["outside"] = one.outside();
  json["median"] = number(one.median, digits);
  json["training_median"] = number(one.training_median, digits);
  if (one.has_quantiles) {
    json["psi"] = number(one.psi, 3);
    json["ks"] = number(one.ks, 3);
    json["edges"] = numbers(one.edges, digits);
    json["expected"] = numbers(one.expected, 3);
    json["actual"] = numbers(one.actual, 3);
  } else {
    json["shift"] = number(one.shift, 3);
    json["spread_ratio"] = number(one.spread_ratio, 3);
  }
  return json;
}

}  // namespace mirrorball::report
