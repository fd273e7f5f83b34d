#include "report/feature_json.h"

#include <algorithm>

namespace mirrorball::report {
namespace {

constexpr std::size_t kShownUnseen = 5;

/// Which rows a slice has.
Json slice_json(const ColumnSchema& feature, const PooledSlice& pooled) {
  Json about = {{"rows", pooled.rows}};
  switch (pooled.slice.kind) {
    case Slice::Kind::kRange:
      about["low"] = number(pooled.slice.low, digits_of(feature));
      about["high"] = number(pooled.slice.high, digits_of(feature));
      about["middle"] = number(pooled.slice.middle, digits_of(feature));
      break;
    case Slice::Kind::kLevel:
      about["level"] = pooled.slice.level;
      break;
    case Slice::Kind::kOtherLevels:
      about["others"] = true;
      break;
    case Slice::Kind::kGap:
      about["gap"] = true;
      break;
  }
  return about;
}

}  // namespace

Json cell(const Findings& found, std::size_t row, std::size_t f) {
  const ColumnSchema& feature = found.schema().features[f];
  const std::size_t column = found.data.table.column(feature.name);
  if (feature.is_number()) return number(found.data.table.number(row, column), digits_of(feature));
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
    one["levels"] = feature.categories.size();
  }
  return one;
}

Json fan_json(const Findings& found, std::size_t f, const Fan& fan) {
  const ColumnSchema& feature = found.schema().features[f];
  Json one = {{"feature", f}};
  if (feature.is_number())
    one["values"] = numbers(fan.values, digits_of(feature));
  else
    one["levels"] = fan.levels;
  one["typical"] = Json::array();
  for (std::size_t t = 0; t < fan.quantiles.size(); ++t) {
    Json line = Json::array();
    for (const auto& quantiles : fan.quantiles[t])
      line.push_back(numbers(quantiles, digits_of(found.schema().targets[t])));
    one["typical"].push_back(std::move(line));
  }
  one["slices"] = Json::array();
  one["pooled"] = Json(std::vector<Json>(fan.quantiles.size(), Json::array()));
  for (const PooledSlice& slice : fan.slices) {
    one["slices"].push_back(slice_json(feature, slice));
    for (std::size_t t = 0; t < slice.targets.size(); ++t) {
      const int digits = digits_of(found.schema().targets[t]);
      Json both = {{"forecast", numbers(slice.targets[t].forecast, digits)}};
      if (found.scored()) both["outcome"] = numbers(slice.targets[t].outcome, digits);
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
               {"gaps", one.gaps}};
  if (one.type == ColumnType::kCategory) {
    json["levels"] = one.training_levels;
    json["met"] = one.levels_met;
    json["unseen_rows"] = one.unseen_rows;
    json["unseen"] = std::vector<std::string>(
        one.unseen_levels.begin(), one.unseen_levels.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                                   kShownUnseen, one.unseen_levels.size())));
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
