#include <zlib.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/atomic_file.h"
#include "base/error.h"
#include "model/check_stored.h"
#include "model/description.h"
#include "model/fit_report_json.h"
#include "model/parts.h"
#include "model/plan_json.h"
#include "model/safetensors.h"
#include "model/stored_features.h"
#include "model/stored_neighbours.h"
#include "model/stored_process.h"
#include "model/stored_trees.h"
#include "model/stored_weights.h"
#include "plan/rules.h"

namespace mirrorball {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormatVersion = 4;
/// The first without a plan: it is made anew from the options.
constexpr int kWithoutPlan = 3;

/// Over the description and all tensors: a flipped bit anywhere that matters is found.
std::string checksum(const std::string& description, const std::vector<model::StoredTensor>& tensors) {
  uLong crc = crc32_z(0, reinterpret_cast<const Bytef*>(description.data()), description.size());
  for (const model::StoredTensor& tensor : tensors)
    if (!tensor.bytes.empty())  // zlib takes no bytes at a null address for a new beginning
      crc = crc32_z(crc, reinterpret_cast<const Bytef*>(tensor.bytes.data()), tensor.bytes.size());
  return fmt::format("{:08x}", crc);
}

model::StoredFile to_stored(const Model::Parts& parts) {
  model::StoredFile file;
  const std::vector<encode::Feature>& features = parts.encoder.features();
  for (std::size_t i = 0; i < features.size(); ++i)
    if (features[i].type == ColumnType::kNumber)
      file.tensors.push_back(model::store_knots("feature", i, features[i].transform));
  for (std::size_t t = 0; t < parts.targets.size(); ++t)
    file.tensors.push_back(model::store_knots("target", t, parts.transforms[t]));
  for (std::size_t network = 0; network < parts.weights.size(); ++network)
    model::store_weights(network, parts.layout, parts.weights[network], file.tensors);
  model::store_forest(parts.forest, file.tensors);
  model::store_process(parts.process, file.tensors);
  model::store_neighbours(parts.neighbours, file.tensors);
  for (std::size_t t = 0; t < parts.boosted.size(); ++t)
    model::store_boosted(t, parts.boosted[t], file.tensors);
  const std::string description = model::description_json(parts).dump();
  file.metadata = {{"format", "mirrorball"},
                   {"format_version", std::to_string(kFormatVersion)},
                   {"model", description},
                   {"checksum", checksum(description, file.tensors)}};
  return file;
}

void check_kind(const model::StoredFile& file) {
  const auto text = [&](const char* key) {
    const auto found = file.metadata.find(key);
    return found == file.metadata.end() ? std::string() : found->second;
  };
  if (text("format") != "mirrorball") bad_input("it contains tensors, but no Mirrorball model");
  if (text("format_version") != std::to_string(kFormatVersion) &&
      text("format_version") != std::to_string(kWithoutPlan))
    bad_input(
        "its format version is {}, but this program reads versions {} and {} only: use a newer Mirrorball",
        text("format_version"), kWithoutPlan, kFormatVersion);
  if (!file.metadata.contains("model")) bad_input("it has no description of its model");
  if (text("checksum") != checksum(text("model"), file.tensors))
    bad_input("it is damaged: its checksum is {}, but {} is stored", checksum(text("model"), file.tensors),
              text("checksum"));
}

/// The plan of a file that has none, as far as its networks need it: the rules for them have not changed.
/// How many rows there were for what is not known.
Plan plan_without_record(const Options& options, const encode::Encoder& encoder, std::size_t targets) {
  return plan::make_plan(options, {.number_columns = encoder.number_columns(),
                                   .code_columns = encoder.code_columns(),
                                   .targets = targets});
}

/// Features, targets, options and plan: what the networks' shape follows from.
std::unique_ptr<Model::Parts> make_parts(const model::StoredFile& file, const Json& json) {
  std::vector<std::string> targets;
  std::vector<encode::NumberTransform> transforms;
  for (const Json& target : json.at("targets")) {
    transforms.push_back(
        model::load_transform(file, "target", targets.size(), target.at("transform").get<std::string>()));
    targets.push_back(target.at("name").get<std::string>());
  }
  if (targets.empty()) bad_input("it has no targets");
  Options options = model::load_options(json.at("options"));
  encode::Encoder encoder = model::load_encoder(file, json.at("features"));
  Plan plan = json.contains("plan") ? model::load_plan(json.at("plan"))
                                    : plan_without_record(options, encoder, targets.size());
  plan.inputs = model::plan_inputs(encoder);
  plan.targets = model::plan_targets(targets, transforms);
  return std::make_unique<Model::Parts>(std::move(options), std::move(plan), std::move(targets),
                                        std::move(transforms), std::move(encoder));
}

void load_networks(const model::StoredFile& file, const Json& json, Model::Parts& parts) {
  for (const Json& network : json.at("history")) {
    parts.weights.push_back(model::load_weights(file, parts.weights.size(), parts.layout));
    parts.history.push_back(model::load_history(network));
  }
  if (parts.weights.empty()) bad_input("it has no networks");
}

void load_calibrations(const Json& json, Model::Parts& parts) {
  for (const Json& one : json.at("calibration")) parts.calibration.push_back(model::load_calibration(one));
  if (!parts.calibration.empty() && parts.calibration.size() != parts.targets.size())
    bad_input("it has {} targets and {} calibrations", parts.targets.size(), parts.calibration.size());
  for (const Calibration& one : parts.calibration)
    if (one.forest_weight != parts.calibration[0].forest_weight ||
        one.neighbour_weight != parts.calibration[0].neighbour_weight ||
        (one.process_weight > 0 && parts.targets.size() > 1))
      bad_input(
          "its targets have different weights of forest or neighbours, or a Gaussian process that is for one "
          "target");
}

/// Those that the calibration gives a share.
void load_experts(const model::StoredFile& file, Model::Parts& parts) {
  const encode::Encoder& encoder = parts.encoder;
  parts.boosted.resize(parts.targets.size());
  if (!parts.is_calibrated()) return;
  const Calibration& shares = parts.calibration[0];
  if (shares.forest_weight > 0) parts.forest = model::load_forest(file, encoder, parts.targets.size());
  if (shares.process_weight > 0)
    parts.process = model::load_process(file, encoder.number_columns(), encoder.code_columns());
  if (shares.neighbour_weight > 0)
    parts.neighbours =
        model::load_neighbours(file, encoder.number_columns(), encoder.learned_rows(), parts.targets.size());
  for (std::size_t t = 0; t < parts.calibration.size(); ++t)
    if (parts.calibration[t].boost_weight > 0) parts.boosted[t] = model::load_boosted(file, t, encoder);
}

std::unique_ptr<Model::Parts> from_stored(const model::StoredFile& file) {
  check_kind(file);
  model::check_tensors(file);
  model::check_description(file.metadata.at("model"));
  const Json json = Json::parse(file.metadata.at("model"));
  model::check_counts(json);
  std::unique_ptr<Model::Parts> parts = make_parts(file, json);
  parts->training_rows = json.at("training_rows").get<std::size_t>();
  load_networks(file, json, *parts);
  load_calibrations(json, *parts);
  if (json.contains("fit_report")) parts->report = model::load_fit_report(json.at("fit_report"));
  load_experts(file, *parts);
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
    bad_input("{} is not {}: its header is incomplete or malformed", name, what);
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

std::string Model::description() const { return model::description_json(*parts_).dump(2); }

}  // namespace mirrorball
