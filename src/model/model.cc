#include "mirrorball/model.h"

#include <cmath>

#include "base/error.h"
#include "base/suggest.h"
#include "engine/device.h"
#include "model/draw_rows.h"
#include "table/source_prefix.h"

namespace mirrorball {

Model::Model(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {
  parts_->engine = engine::default_engine().draw(parts_->shape, parts_->weights);
}

const engine::DrawEngine& Model::Parts::drawer(const std::string& name) const {
  const engine::Engine& wanted = engine::draw_engine(name);
  if (&wanted == &engine::default_engine()) return *engine;
  const std::lock_guard hold(others_->lock);
  std::unique_ptr<engine::DrawEngine>& one = others_->made[&wanted];
  if (!one) one = wanted.draw(shape, weights);
  return *one;
}

Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

const Plan& Model::plan() const { return parts_->plan; }
const Options& Model::options() const { return parts_->options; }
const Schema& Model::schema() const { return parts_->schema; }
const std::vector<Calibration>& Model::calibration() const { return parts_->calibration; }
const std::vector<std::string>& Model::targets() const { return parts_->targets; }
const std::vector<NetworkHistory>& Model::history() const { return parts_->history; }
const FitReport& Model::fit_report() const { return parts_->report; }
std::size_t Model::networks() const { return parts_->weights.size(); }
std::size_t Model::trees() const { return parts_->forest.roots.size(); }
bool Model::noisy() const { return parts_->shape.noisy(); }
std::size_t Model::sources() const {
  std::size_t count = networks();
  if (!noisy() || !parts_->is_calibrated()) return count;
  const Calibration& shares = parts_->calibration[0];
  return count + (shares.forest_weight > 0 ? 1 : 0) + (shares.process_weight > 0 ? 1 : 0) +
         (shares.neighbour_weight > 0 ? 1 : 0);
}

std::size_t Model::parameters() const { return parts_->layout.parameters() * parts_->weights.size(); }
std::size_t Model::training_rows() const { return parts_->training_rows; }
int Model::digits(std::size_t target) const { return parts_->transforms.at(target).digits(); }

std::vector<std::string> Model::features() const {
  std::vector<std::string> names;
  for (const encode::Feature& feature : parts_->encoder.features()) names.push_back(feature.name);
  return names;
}

Predictive Model::predict(const Table& table, const PredictOptions& options) const {
  return predict(table, 0, table.rows(), options);
}

Predictive Model::predict(const Table& table, std::size_t begin, std::size_t end,
                          const PredictOptions& options) const {
  if (begin > end || end > table.rows())
    bad_input("rows {} to {} do not exist: the table has {} rows", begin, end, table.rows());
  ThreadPool pool(options.threads);
  return model::draw_rows(*parts_, model::encode_rows(*parts_, table, begin, end, pool), options, pool);
}

void Model::check(const Table& table) const { parts_->encoder.bind(table); }

std::vector<double> Model::observed(const Table& table) const {
  const std::size_t targets = parts_->targets.size();
  const std::string place = table::source_prefix(table);
  std::vector<double> values(table.rows() * targets), one(table.rows());
  for (std::size_t t = 0; t < targets; ++t) {
    const std::string& name = parts_->targets[t];
    if (!table.find(name))
      bad_input("{}there is no column '{}', the target: the outcomes are needed to score predictions{}",
                place, name, did_you_mean(name, table.header()));
    const std::size_t column = table.column(name);
    if (table.type(column) != ColumnType::kNumber)
      bad_input("{}the target '{}' contains text: it must be numeric", place, parts_->targets[t]);
    table.copy_numbers(column, 0, one.size(), one.data());
    for (std::size_t row = 0; row < one.size(); ++row) {
      if (std::isnan(one[row]))
        bad_input("{}the target '{}' is missing in data row {}: remove rows without it", place,
                  parts_->targets[t], table.first_row() + row + 1);
      values[row * targets + t] = parts_->transforms[t].rounded(one[row]);
    }
  }
  return values;
}

Table Model::typical_rows(std::size_t rows) const {
  Table table;
  for (const encode::Feature& feature : parts_->encoder.features()) {
    if (feature.type == ColumnType::kNumber) {
      table.add_numbers(feature.name, std::vector<double>(rows, feature.typical));
    } else {
      const std::string category = feature.categories.empty() ? std::string() : feature.categories.front();
      table.add_categories(feature.name, std::vector<std::string>(rows, category));
    }
  }
  return table;
}

ReadOptions Model::read_options(bool with_targets) const {
  ReadOptions read;
  read.only_named = true;
  for (const encode::Feature& feature : parts_->encoder.features()) {
    (feature.type == ColumnType::kNumber ? read.numbers : read.categories).push_back(feature.name);
    if (feature.dates) read.dates.push_back(feature.name);
  }
  if (with_targets) read.numbers.insert(read.numbers.end(), parts_->targets.begin(), parts_->targets.end());
  return read;
}

}  // namespace mirrorball
