#include "mirrorball/model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/random.h"
#include "kernels/level.h"
#include "model/parts.h"
#include "model/pool_draws.h"

namespace mirrorball {

Model::Model(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

const Options& Model::options() const { return parts_->options; }
const std::vector<std::string>& Model::targets() const { return parts_->targets; }
const std::vector<MemberHistory>& Model::history() const { return parts_->history; }
std::size_t Model::parameters() const { return parts_->layout.parameters() * parts_->weights.size(); }
std::size_t Model::training_rows() const { return parts_->training_rows; }
int Model::digits(std::size_t target) const { return parts_->transforms.at(target).digits(); }

std::vector<std::string> Model::features() const {
  std::vector<std::string> names;
  for (const Feature& feature : parts_->encoder.features()) names.push_back(feature.name);
  return names;
}

namespace {

/// Where the draws go that come one network after the other, then the forest's: to an order shuffled once for
/// all rows, so that the first few draws are a fair sample too.
std::vector<std::size_t> shuffled_places(std::size_t samples, std::uint64_t seed) {
  std::vector<std::size_t> places(samples);
  std::iota(places.begin(), places.end(), std::size_t{0});
  Stream random(seed, Purpose::kPredict, 0);
  for (std::size_t i = samples; i > 1; --i)
    std::swap(places[i - 1], places[random.below(static_cast<std::uint32_t>(i))]);
  return places;
}

constexpr std::size_t kLeastPool = 200, kRowTask = 64;

struct RowScratch {
  std::vector<double> draws;
  std::vector<float> quantiles;
  CalibrationScratch calibration;
  Forest::Scratch forest;
};

void add_forest_draws(const Forest& forest, const EncodedRows& inputs, std::size_t row, std::size_t count,
                      RowScratch& own) {
  own.quantiles.resize(count);
  forest.quantiles({inputs.numbers.data() + row * inputs.number_columns, inputs.number_columns},
                   {inputs.codes.data() + row * inputs.code_columns, inputs.code_columns}, own.quantiles,
                   own.forest);
  own.draws.insert(own.draws.end(), own.quantiles.begin(), own.quantiles.end());
}

}  // namespace

Predictive Model::predict(const Table& table, const PredictOptions& options) const {
  return predict(table, 0, table.rows(), options);
}

Predictive Model::predict(const Table& table, std::size_t begin, std::size_t end,
                          const PredictOptions& options) const {
  const Parts& parts = *parts_;
  if (begin > end || end > table.rows())
    bad_input("rows {} to {} were asked for, but the table has {}", begin, end, table.rows());
  if (options.samples == 0) bad_input("0 samples were asked for: at least 1 is needed");
  cpu_level();
  ThreadPool pool(options.threads);
  const std::size_t rows = end - begin, members = parts.weights.size();
  EncodedRows inputs(rows, parts.encoder.number_columns(), parts.encoder.code_columns());
  const Encoder::Bound bound = parts.encoder.bind(table);
  constexpr std::size_t kTask = 1024;
  pool.run((rows + kTask - 1) / kTask, [&](std::size_t task, unsigned) {
    const std::size_t first = task * kTask;
    bound.encode(begin + first, begin + std::min(rows, first + kTask), inputs, first);
  });
  std::vector<std::uint32_t> all(rows);
  std::iota(all.begin(), all.end(), 0u);

  // A network without noise has one draw. Medians and ranks of a few draws would say little: calibration
  // works on a pool of some size, of which the first are given out.
  const bool corrected = options.calibrated && parts.shape.noisy() && parts.is_calibrated();
  const std::size_t samples = parts.shape.noisy() ? options.samples : members,
                    pooled = corrected ? std::max(samples, kLeastPool) : samples;
  const std::size_t from_forest = corrected ? parts.calibration[0].forest_draws(pooled) : 0,
                    from_networks = pooled - from_forest, targets = parts.targets.size();
  const std::vector<float> networks = network_draws(parts, inputs, all, from_networks, options.seed, pool);
  const std::vector<std::size_t> places = shuffled_places(pooled, options.seed);
  Predictive result(rows, samples, parts.targets);
  std::vector<RowScratch> scratch(pool.size());
  pool.run((rows + kRowTask - 1) / kRowTask, [&](std::size_t task, unsigned worker) {
    RowScratch& own = scratch[worker];
    for (std::size_t row = task * kRowTask; row < std::min(rows, (task + 1) * kRowTask); ++row)
      for (std::size_t t = 0; t < targets; ++t) {
        const float* first = networks.data() + (row * targets + t) * from_networks;
        own.draws.assign(first, first + from_networks);
        if (from_forest > 0) add_forest_draws(parts.forest, inputs, row, from_forest, own);
        if (corrected) apply(parts.calibration[t], from_networks, own.draws, own.calibration);
        const std::span<double> out = result.draws(row, t);
        for (std::size_t i = 0; i < pooled; ++i)
          if (places[i] < samples) out[places[i]] = parts.transforms[t].inverse(own.draws[i]);
      }
  });
  return result;
}

std::vector<double> Model::observed(const Table& table) const {
  const std::size_t targets = parts_->targets.size();
  const std::string place = table.source().empty() ? "" : table.source() + ": ";
  std::vector<double> values(table.rows() * targets), one(table.rows());
  for (std::size_t t = 0; t < targets; ++t) {
    const std::size_t column = table.column(parts_->targets[t]);
    if (table.type(column) != ColumnType::kNumber)
      bad_input("{}the target '{}' holds text: it must be numbers", place, parts_->targets[t]);
    table.copy_numbers(column, 0, one.size(), one.data());
    for (std::size_t row = 0; row < one.size(); ++row) {
      if (std::isnan(one[row]))
        bad_input("{}the target '{}' is empty in data row {}: remove the rows without it", place,
                  parts_->targets[t], row + 1);
      values[row * targets + t] = parts_->transforms[t].rounded(one[row]);
    }
  }
  return values;
}

Table Model::typical_rows(std::size_t rows) const {
  Table table;
  for (const Feature& feature : parts_->encoder.features()) {
    if (feature.type == ColumnType::kNumber) {
      table.add_numbers(feature.name, std::vector<double>(rows, feature.typical));
    } else {
      const std::string level = feature.levels.empty() ? std::string() : feature.levels.front();
      table.add_categories(feature.name, std::vector<std::string>(rows, level));
    }
  }
  return table;
}

ReadOptions Model::read_options(bool with_targets) const {
  ReadOptions read;
  read.only_named = true;
  for (const Feature& feature : parts_->encoder.features())
    (feature.type == ColumnType::kNumber ? read.numbers : read.categories).push_back(feature.name);
  if (with_targets) read.numbers.insert(read.numbers.end(), parts_->targets.begin(), parts_->targets.end());
  return read;
}

}  // namespace mirrorball
