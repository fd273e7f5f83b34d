#include "mirrorball/model.h"

#include <type_traits>

#include "border.h"
#include "plan/fields.h"
#include "serve/nearby.h"

namespace mirrorball::binding {
namespace {

/// The word of the table of options.
std::string transform_word(const ColumnSchema& column) {
  Options options;
  options.input_transform = column.transform;
  return get_option(options, "input_transform");
}

/// The range that samples of a target can have; null of a category.
Json limits_of(const ColumnSchema& column) {
  if (!column.is_number()) return nullptr;
  return {column.limits().low, column.limits().high};
}

Json columns_of(const std::vector<ColumnSchema>& columns) {
  Json list = Json::array();
  for (const ColumnSchema& column : columns)
    list.push_back({{"name", column.name},
                    {"kind", column.is_number() ? "number" : "category"},
                    {"dates", column.dates},
                    {"transform", column.is_number() ? Json(transform_word(column)) : Json()},
                    {"by_value", column.by_value},
                    {"categories", column.categories},
                    {"missing", column.missing},
                    {"median", column.median},
                    {"limits", limits_of(column)}});
  return list;
}

Json calibrations_of(const Model& model) {
  Json list = Json::array();
  for (const Calibration& one : model.calibration())
    list.push_back({{"forest_weight", one.forest_weight},
                    {"process_weight", one.process_weight},
                    {"boost_weight", one.boost_weight},
                    {"spread", one.spread},
                    {"tail_weight", one.tail_weight},
                    {"tail_spread", one.tail_spread},
                    {"interval", one.interval}});
  return list;
}

Json plan_of(const Model& model) {
  Json fields = Json::object();
  plan::each_field(model.plan(), [&](const char* name, const auto& field) {
    if constexpr (std::is_enum_v<std::decay_t<decltype(field)>>) {
      fields[name] = plan::choices_of(name)[static_cast<std::size_t>(field)];
    } else {
      fields[name] = field;
    }
  });
  return fields;
}

Json history_of(const Model& model) {
  Json list = Json::array();
  for (const NetworkHistory& network : model.history())
    list.push_back({{"train", network.train},
                    {"valid", network.valid},
                    {"best_epoch", network.best_epoch},
                    {"stopped", network.stopped},
                    {"refit", network.refit}});
  return list;
}

}  // namespace

MIRRORBALL_BORDER void mirrorball_model_free(Model* model) { delete model; }

MIRRORBALL_BORDER Failure* mirrorball_model_load(Text path, Model** out) {
  return guarded([&] { *out = new Model(with_files([&] { return Model::load(path.string()); })); });
}

MIRRORBALL_BORDER Failure* mirrorball_model_save(const Model* model, Text path) {
  return guarded([&] { with_files([&] { model->save(path.string()); }); });
}

MIRRORBALL_BORDER Failure* mirrorball_model_to_bytes(const Model* model, std::string** out) {
  return guarded([&] { give(model->to_bytes(), out); });
}

MIRRORBALL_BORDER Failure* mirrorball_model_from_bytes(Text bytes, Model** out) {
  return guarded([&] { *out = new Model(Model::from_bytes(bytes.view())); });
}

MIRRORBALL_BORDER Failure* mirrorball_model_description(const Model* model, std::string** out) {
  return guarded([&] { give(model->description(), out); });
}

/// What is small and never changes.
MIRRORBALL_BORDER Failure* mirrorball_model_facts(const Model* model, std::string** out) {
  return guarded([&] {
    const Json schema{{"features", columns_of(model->schema().features)},
                      {"targets", columns_of(model->schema().targets)}};
    give(Json{{"targets", model->targets()},
              {"features", model->features()},
              {"schema", schema},
              {"calibration", calibrations_of(*model)},
              {"plan", plan_of(*model)},
              {"history", history_of(*model)},
              {"fit_report", Json::parse(to_json(model->fit_report()))},
              {"weak_fits", weak_fits(model->fit_report())},
              {"parameters", model->parameters()},
              {"training_rows", model->training_rows()}},
         out);
  });
}

MIRRORBALL_BORDER Failure* mirrorball_model_options(const Model* model, Options** out) {
  return guarded([&] { *out = new Options(model->options()); });
}

/// Of one of the features, or of the targets.
MIRRORBALL_BORDER Failure* mirrorball_model_training_quantile(const Model* model, int of_targets,
                                                              std::size_t place, double probability,
                                                              double* out) {
  return guarded([&] {
    const Schema& schema = model->schema();
    *out = (of_targets ? schema.targets : schema.features).at(place).training_quantile(probability);
  });
}

MIRRORBALL_BORDER Failure* mirrorball_model_warnings(const Model* model, const Table* table,
                                                     std::string** out) {
  return guarded([&] {
    Json sentences = Json::array();
    for (const ColumnWarning& warning : model->warnings(*table)) sentences.push_back(warning.text);
    give(sentences, out);
  });
}

/// For each of these rows, which differ in this feature only, how many rows of the table are near; an empty
/// list where the table has too few rows to say.
MIRRORBALL_BORDER Failure* mirrorball_model_nearby(const Model* model, const Table* table, const Table* rows,
                                                   std::size_t feature, std::string** out) {
  return guarded([&] {
    Json counts = Json::array();
    for (const serve::Nearby::Found& one : serve::Nearby(model->schema(), *table).along(*rows, feature))
      counts.push_back(one.rows);
    give(counts, out);
  });
}

MIRRORBALL_BORDER Failure* mirrorball_model_predict(const Model* model, const Table* table, std::size_t begin,
                                                    std::size_t end, std::size_t samples, std::uint64_t seed,
                                                    unsigned threads, int calibrated, Predictive** out) {
  return guarded([&] {
    *out = new Predictive(model->predict(*table, begin, end, {samples, seed, threads, calibrated != 0}));
  });
}

}  // namespace mirrorball::binding
