#include <zlib.h>

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/atomic_file.h"
#include "base/error.h"
#include "mirrorball/version.h"
#include "model/parts.h"
#include "model/plan_json.h"
#include "model/safetensors.h"
#include "plan/rules.h"

namespace mirrorball {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormatVersion = 4;
/// The first without a plan: it is made anew from the options.
constexpr int kWithoutPlan = 3;

// The model does not depend on the number of threads, so its file must not either.
bool is_stored(const OptionInfo& info) { return info.name != "threads"; }

Json options_json(const Options& options) {
  Json json;
  for (const OptionInfo& info : option_list()) {
    if (!is_stored(info)) continue;
    const std::string text = get_option(options, info.name);
    json[info.name] = info.kind == "choice" ? Json(text) : Json::parse(text);
  }
  return json;
}

Options options_from(const Json& json) {
  Options options;
  for (const auto& [name, value] : json.items())
    set_option(options, name, value.is_string() ? value.get<std::string>() : value.dump());
  return options;
}

const std::map<std::string, Transform> kTransforms = {{"quantile", Transform::kQuantile},
                                                      {"standard", Transform::kStandard},
                                                      {"scores", Transform::kScores},
                                                      {"even", Transform::kEven}};

std::string transform_name(Transform kind) {
  return std::find_if(kTransforms.begin(), kTransforms.end(),
                      [=](const auto& one) { return one.second == kind; })
      ->first;
}

Json features_json(const std::vector<encode::Feature>& features) {
  Json list = Json::array();
  for (const encode::Feature& feature : features) {
    Json json = {{"name", feature.name}, {"gaps", feature.missing}};
    if (feature.type == ColumnType::kNumber) {
      json["type"] = "number";
      json["transform"] = transform_name(feature.transform.kind());
      json["typical"] = feature.typical;
      json["plain"] = feature.plain.has_value();
      if (feature.dates) json["dates"] = true;
    } else {
      json["type"] = "category";
      json["levels"] = feature.categories;
    }
    list.push_back(std::move(json));
  }
  return list;
}

Json description_json(const Model::Parts& parts) {
  Json json;
  json["mirrorball"] = MIRRORBALL_VERSION;
  json["training_rows"] = parts.training_rows;
  json["members"] = parts.weights.size();
  json["targets"] = Json::array();
  for (std::size_t t = 0; t < parts.targets.size(); ++t)
    json["targets"].push_back(
        {{"name", parts.targets[t]}, {"transform", transform_name(parts.transforms[t].kind())}});
  json["features"] = features_json(parts.encoder.features());
  json["options"] = options_json(parts.options);
  json["plan"] = model::plan_json(parts.plan);
  json["calibration"] = Json::array();
  for (const Calibration& one : parts.calibration)
    json["calibration"].push_back({{"forest_share", one.forest_weight},
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
  return json;
}

std::string knots_name(const char* of, std::size_t i) { return fmt::format("{}.{}.knots", of, i); }

model::StoredTensor store_knots(std::string name, const encode::NumberTransform& transform) {
  return model::store<double>(std::move(name), "F64", {transform.knots().size()}, transform.knots());
}

model::StoredTensor store_weights(std::string name, const net::Tensor& tensor, const Buffer<float>& weights) {
  std::vector<float> values;
  for (std::size_t row = 0; row < tensor.rows; ++row) {
    const float* first = tensor.in(weights.data()) + row * tensor.stride;
    values.insert(values.end(), first, first + tensor.cols);
  }
  return model::store<float>(std::move(name), "F32", {tensor.rows, tensor.cols}, values);
}

std::string weights_name(std::size_t network, const net::Tensor& tensor) {
  return fmt::format("member.{}.{}", network, tensor.name);
}

/// Nodes as three columns; nothing without a forest.
void store_forest(const forest::Forest& forest, std::vector<model::StoredTensor>& tensors) {
  if (forest.roots.empty()) return;
  std::vector<std::int32_t> features, children;
  std::vector<float> cuts;
  for (const forest::Forest::Node& node : forest.nodes) {
    features.push_back(node.feature);
    cuts.push_back(node.cut);
    children.push_back(node.child);
  }
  tensors.push_back(model::store<std::int32_t>("forest.feature", "I32", {features.size()}, features));
  tensors.push_back(model::store<float>("forest.cut", "F32", {cuts.size()}, cuts));
  tensors.push_back(model::store<std::int32_t>("forest.child", "I32", {children.size()}, children));
  tensors.push_back(model::store<std::int32_t>("forest.root", "I32", {forest.roots.size()}, forest.roots));
  tensors.push_back(
      model::store<std::int32_t>("forest.leaf", "I32", {forest.leaf_begin.size()}, forest.leaf_begin));
  tensors.push_back(model::store<float>("forest.value", "F32", {forest.values.size()}, forest.values));
}

/// Over the description and all tensors: a flipped bit anywhere that matters is found.
std::string checksum(const std::string& description, const std::vector<model::StoredTensor>& tensors) {
  uLong crc = crc32_z(0, reinterpret_cast<const Bytef*>(description.data()), description.size());
  for (const model::StoredTensor& tensor : tensors)
    crc = crc32_z(crc, reinterpret_cast<const Bytef*>(tensor.bytes.data()), tensor.bytes.size());
  return fmt::format("{:08x}", crc);
}

model::StoredFile to_stored(const Model::Parts& parts) {
  model::StoredFile file;
  const std::vector<encode::Feature>& features = parts.encoder.features();
  for (std::size_t i = 0; i < features.size(); ++i)
    if (features[i].type == ColumnType::kNumber)
      file.tensors.push_back(store_knots(knots_name("feature", i), features[i].transform));
  for (std::size_t t = 0; t < parts.targets.size(); ++t)
    file.tensors.push_back(store_knots(knots_name("target", t), parts.transforms[t]));
  for (std::size_t network = 0; network < parts.weights.size(); ++network)
    for (const net::Tensor* tensor : parts.layout.tensors())
      file.tensors.push_back(store_weights(weights_name(network, *tensor), *tensor, parts.weights[network]));
  store_forest(parts.forest, file.tensors);
  const std::string description = description_json(parts).dump();
  file.metadata = {{"format", "mirrorball"},
                   {"format_version", std::to_string(kFormatVersion)},
                   {"model", description},
                   {"checksum", checksum(description, file.tensors)}};
  return file;
}

template <class T>
std::vector<T> load_values(const model::StoredFile& file, const std::string& name, const std::string& dtype) {
  const model::StoredTensor& tensor = file.tensor(name, dtype);
  std::vector<T> values(tensor.bytes.size() / sizeof(T));
  std::memcpy(values.data(), tensor.bytes.data(), values.size() * sizeof(T));
  return values;
}

encode::NumberTransform load_transform(const model::StoredFile& file, const std::string& name,
                                       const std::string& kind) {
  std::vector<double> knots = load_values<double>(file, name, "F64");
  const auto known = kTransforms.find(kind);
  if (known == kTransforms.end()) bad_input("its transform '{}' is not known", kind);
  const bool quantile = known->second != Transform::kStandard;
  if (quantile ? knots.size() < 2 : knots.size() != 2)
    bad_input("tensor {} has {} values", name, knots.size());
  const bool finite =
      std::all_of(knots.begin(), knots.end(), [](double knot) { return std::isfinite(knot); });
  if (!finite || (quantile ? !std::is_sorted(knots.begin(), knots.end()) : knots[1] < 0))
    bad_input("tensor {} does not describe a transform", name);
  return {known->second, std::move(knots)};
}

encode::PlainNumber load_plain(const encode::Feature& feature) {
  const encode::NumberTransform& ranks = feature.transform;
  if (!encode::PlainNumber::can_be_told_from(ranks))
    bad_input("feature '{}' has no ranks to tell its plain values from", feature.name);
  const encode::PlainNumber plain(ranks);
  if (!std::isfinite(plain.forward(ranks.knots().front())) ||
      !std::isfinite(plain.forward(ranks.knots().back())))
    bad_input("feature '{}' has values beyond what can be computed with", feature.name);
  return plain;
}

encode::Encoder load_encoder(const model::StoredFile& file, const Json& list) {
  std::vector<encode::Feature> features;
  for (const Json& json : list) {
    encode::Feature feature;
    feature.name = json.at("name").get<std::string>();
    feature.missing = json.at("gaps").get<bool>();
    if (json.at("type") == "number") {
      feature.transform = load_transform(file, knots_name("feature", features.size()),
                                         json.at("transform").get<std::string>());
      feature.typical = json.at("typical").get<double>();
      if (json.at("plain").get<bool>()) feature.plain = load_plain(feature);
      feature.dates = json.value("dates", false);
    } else {
      feature.type = ColumnType::kCategory;
      feature.categories = json.at("levels").get<std::vector<std::string>>();
    }
    features.push_back(std::move(feature));
  }
  return encode::Encoder(std::move(features));
}

/// The stored tensor of one parameter, its shape checked against what the options make of it.
const model::StoredTensor& checked_tensor(const model::StoredFile& file, std::size_t network,
                                          const net::Tensor& tensor) {
  const model::StoredTensor& stored = file.tensor(weights_name(network, tensor), "F32");
  if (stored.shape != std::vector<std::size_t>{tensor.rows, tensor.cols})
    bad_input("tensor {} is {}, but the model's options make it {} x {}", stored.name,
              fmt::to_string(fmt::join(stored.shape, " x ")), tensor.rows, tensor.cols);
  return stored;
}

Buffer<float> load_weights(const model::StoredFile& file, std::size_t network, const net::NetLayout& layout) {
  std::vector<const model::StoredTensor*> stored;  // all checked before anything is allocated
  for (const net::Tensor* tensor : layout.tensors())
    stored.push_back(&checked_tensor(file, network, *tensor));
  Buffer<float> weights(layout.size);
  for (std::size_t i = 0; i < stored.size(); ++i) {
    const net::Tensor& tensor = *layout.tensors()[i];
    for (std::size_t row = 0; row < tensor.rows; ++row)
      std::memcpy(tensor.in(weights.data()) + row * tensor.stride,
                  stored[i]->bytes.data() + row * tensor.cols * sizeof(float), tensor.cols * sizeof(float));
  }
  return weights;
}

forest::Forest load_forest(const model::StoredFile& file, std::size_t features) {
  const auto feature = load_values<std::int32_t>(file, "forest.feature", "I32"),
             child = load_values<std::int32_t>(file, "forest.child", "I32");
  const auto cut = load_values<float>(file, "forest.cut", "F32");
  if (feature.size() != child.size() || feature.size() != cut.size())
    bad_input("its forest has {} features, {} cuts and {} children", feature.size(), cut.size(),
              child.size());
  forest::Forest forest;
  for (std::size_t i = 0; i < feature.size(); ++i) forest.nodes.push_back({feature[i], cut[i], child[i]});
  forest.roots = load_values<std::int32_t>(file, "forest.root", "I32");
  forest.leaf_begin = load_values<std::int32_t>(file, "forest.leaf", "I32");
  forest.values = load_values<float>(file, "forest.value", "F32");
  forest.check(features);
  return forest;
}

/// Numbers a damaged file could hold must not make forecasts of nonsense.
Calibration load_calibration(const Json& json) {
  const auto number = [&](const char* name, double low, double high) {
    const double value = json.at(name).get<double>();
    if (!(value >= low && value <= high))
      bad_input("its calibration has {} {}, which is outside {} to {}", name, value, low, high);
    return value;
  };
  return {number("forest_share", 0, 1), number("factor", 0, 100), number("tail_share", 0, 1),
          number("tail_factor", 0, 100), number("level_factor", 0, 100)};
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
    bad_input("its history has {} epochs, and epoch {} as the best", epochs, history.best_epoch);
  return history;
}

void check_kind(const model::StoredFile& file) {
  const auto text = [&](const char* key) {
    const auto found = file.metadata.find(key);
    return found == file.metadata.end() ? std::string() : found->second;
  };
  if (text("format") != "mirrorball") bad_input("it holds tensors, but no Mirrorball model");
  if (text("format_version") != std::to_string(kFormatVersion) &&
      text("format_version") != std::to_string(kWithoutPlan))
    bad_input("its format is version {}, and this program reads versions {} and {}: use a newer Mirrorball",
              text("format_version"), kWithoutPlan, kFormatVersion);
  if (text("checksum") != checksum(text("model"), file.tensors))
    bad_input("it is damaged: the checksum is {}, the file says {}", checksum(text("model"), file.tensors),
              text("checksum"));
}

/// The plan of a file that has none, as far as its networks need it: the rules for them have not changed.
/// How many rows there were for what is not known.
Plan plan_without_record(const Options& options, const encode::Encoder& encoder, std::size_t targets) {
  return plan::make_plan(options, {.number_columns = encoder.number_columns(),
                                   .code_columns = encoder.code_columns(),
                                   .targets = targets});
}

std::unique_ptr<Model::Parts> from_stored(const model::StoredFile& file) {
  check_kind(file);
  const Json json = Json::parse(file.metadata.at("model"));
  std::vector<std::string> targets;
  std::vector<encode::NumberTransform> transforms;
  for (const Json& target : json.at("targets")) {
    transforms.push_back(load_transform(file, knots_name("target", targets.size()),
                                        target.at("transform").get<std::string>()));
    targets.push_back(target.at("name").get<std::string>());
  }
  if (targets.empty()) bad_input("it has no targets");
  Options options = options_from(json.at("options"));
  encode::Encoder encoder = load_encoder(file, json.at("features"));
  Plan plan = json.contains("plan") ? model::load_plan(json.at("plan"))
                                    : plan_without_record(options, encoder, targets.size());
  plan.inputs = model::plan_inputs(encoder);
  auto parts = std::make_unique<Model::Parts>(std::move(options), std::move(plan), std::move(targets),
                                              std::move(transforms), std::move(encoder));
  parts->training_rows = json.at("training_rows").get<std::size_t>();
  for (const Json& network : json.at("history")) {
    parts->weights.push_back(load_weights(file, parts->weights.size(), parts->layout));
    parts->history.push_back(load_history(network));
  }
  if (parts->weights.empty()) bad_input("it has no members");
  for (const Json& one : json.at("calibration")) parts->calibration.push_back(load_calibration(one));
  if (!parts->calibration.empty() && parts->calibration.size() != parts->targets.size())
    bad_input("it has {} targets and {} calibrations", parts->targets.size(), parts->calibration.size());
  if (parts->is_calibrated() && parts->calibration[0].forest_weight > 0)
    parts->forest = load_forest(file, parts->encoder.number_columns() + parts->encoder.code_columns());
  return parts;
}

/// What is wrong with a stored model, said of `name`.
template <class Load>
Model checked(const std::string& name, const char* what, Load load) {
  try {
    return load();
  } catch (const std::invalid_argument& error) {
    bad_input("{} is not {}: {}", name, what, error.what());
  } catch (const nlohmann::json::exception&) {
    bad_input("{} is not {}: its header lacks something or has it in another form", name, what);
  }
}

}  // namespace

void Model::save(const std::string& path) const {
  const model::StoredFile file = to_stored(*parts_);
  write_atomically(path, [&](std::ostream& out) { model::write_safetensors(file, out); });
}

Model Model::load(const std::string& path) {
  return checked(path, "a usable model file",
                 [&] { return Model(from_stored(model::read_safetensors(path))); });
}

std::string Model::to_bytes() const {
  std::ostringstream out;
  model::write_safetensors(to_stored(*parts_), out);
  return std::move(out).str();
}

Model Model::from_bytes(std::string_view bytes) {
  return checked("this", "a usable model", [&] {
    std::istringstream in{std::string(bytes)};
    return Model(from_stored(model::read_safetensors(in, bytes.size())));
  });
}

std::string Model::description() const { return description_json(*parts_).dump(2); }

}  // namespace mirrorball
