#include "model/stored_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/error.h"
#include "plan/fields.h"

namespace mirrorball::model {
namespace {

using Json = nlohmann::ordered_json;

const std::map<std::string, Transform> kTransforms = {
    {"quantile", Transform::kQuantile}, {"standard", Transform::kStandard}, {"rankit", Transform::kRankit},
    {"none", Transform::kNone},         {"even", Transform::kEven},         {"smooth", Transform::kSmooth}};

std::string knots_name(const char* of, std::size_t i) { return fmt::format("{}.{}.knots", of, i); }

/// An entry by its name, or by the name that files of earlier versions have for it.
const Json& entry(const Json& json, const char* name, const char* old_name) {
  return json.contains(name) ? json.at(name) : json.at(old_name);
}

encode::PlainNumber load_plain(const encode::Feature& feature) {
  const encode::NumberTransform& ranks = feature.transform;
  if (!encode::PlainNumber::can_be_told_from(ranks))
    bad_input("feature '{}' has no ranks to compute its plain values from", feature.name);
  const encode::PlainNumber plain(ranks);
  if (!std::isfinite(plain.forward(ranks.knots().front())) ||
      !std::isfinite(plain.forward(ranks.knots().back())))
    bad_input("feature '{}' has values that are too large", feature.name);
  return plain;
}

/// A table has no numbers beyond those of single precision, so neither has what was fitted on it.
void check_range(const encode::Feature& feature) {
  const auto too_large = [](double value) { return std::abs(value) > std::numeric_limits<float>::max(); };
  const std::vector<double>& knots = feature.transform.knots();
  if (too_large(feature.typical) || std::any_of(knots.begin(), knots.end(), too_large))
    bad_input("feature '{}' has values beyond 3.4e38, which no table has", feature.name);
}

encode::DateCycles load_cycles(const Json& words) {
  std::vector<DateCycle> cycles;
  for (const DateCycle cycle : encode::DateCycles::kAll)
    if (std::find(words.begin(), words.end(), plan::word_of(cycle)) != words.end()) cycles.push_back(cycle);
  if (cycles.size() != words.size()) bad_input("it has unknown cycles of dates: {}", words.dump());
  return encode::DateCycles(std::move(cycles));
}

}  // namespace

std::string transform_name(Transform kind) {
  return std::find_if(kTransforms.begin(), kTransforms.end(),
                      [=](const auto& one) { return one.second == kind; })
      ->first;
}

Json features_json(const std::vector<encode::Feature>& features) {
  Json list = Json::array();
  for (const encode::Feature& feature : features) {
    Json json = {{"name", feature.name}, {"missing", feature.missing}};
    if (feature.type == ColumnType::kNumber) {
      json["type"] = "number";
      json["transform"] = transform_name(feature.transform.kind());
      json["typical"] = feature.typical;
      json["plain"] = feature.plain.has_value();
      if (feature.dates) json["dates"] = true;
      for (const DateCycle cycle : feature.cycles.cycles()) json["cycles"].push_back(plan::word_of(cycle));
    } else {
      json["type"] = "category";
      json["categories"] = feature.categories;
    }
    list.push_back(std::move(json));
  }
  return list;
}

StoredTensor store_knots(const char* of, std::size_t i, const encode::NumberTransform& transform) {
  return store<double>(knots_name(of, i), "F64", {transform.knots().size()}, transform.knots());
}

encode::NumberTransform load_transform(const StoredFile& file, const char* of, std::size_t i,
                                       const std::string& kind) {
  const std::string name = knots_name(of, i);
  std::vector<double> knots = load_values<double>(file, name, "F64");
  const auto known = kTransforms.find(kind == "scores" ? "rankit" : kind);  // its name in version 0.1
  if (known == kTransforms.end()) bad_input("it has an unknown transform '{}'", kind);
  const bool quantile = encode::keeps_quantiles(known->second);
  if (quantile ? knots.size() < 2 : knots.size() != 2)
    bad_input("tensor {} has {} values", name, knots.size());
  const bool finite =
      std::all_of(knots.begin(), knots.end(), [](double knot) { return std::isfinite(knot); });
  if (!finite || (quantile ? !std::is_sorted(knots.begin(), knots.end()) : knots[1] < 0))
    bad_input("tensor {} does not describe a transform", name);
  return {known->second, std::move(knots)};
}

encode::Encoder load_encoder(const StoredFile& file, const Json& list) {
  std::vector<encode::Feature> features;
  for (const Json& json : list) {
    encode::Feature feature;
    feature.name = json.at("name").get<std::string>();
    feature.missing = entry(json, "missing", "gaps").get<bool>();
    if (json.at("type") == "number") {
      feature.transform =
          load_transform(file, "feature", features.size(), json.at("transform").get<std::string>());
      feature.typical = json.at("typical").get<double>();
      check_range(feature);
      if (json.at("plain").get<bool>()) feature.plain = load_plain(feature);
      feature.dates = json.value("dates", false);
      if (json.contains("cycles")) feature.cycles = load_cycles(json.at("cycles"));
    } else {
      feature.type = ColumnType::kCategory;
      feature.categories = entry(json, "categories", "levels").get<std::vector<std::string>>();
    }
    features.push_back(std::move(feature));
  }
  if (features.empty()) bad_input("it has no features");
  return encode::Encoder(std::move(features));
}

}  // namespace mirrorball::model
