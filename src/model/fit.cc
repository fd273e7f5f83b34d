#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

#include "base/error.h"
#include "base/random.h"
#include "kernels/level.h"
#include "model/parts.h"

namespace mirrorball {
namespace {

/// Rows encoded at a time; the table's memory is given back behind it.
constexpr std::size_t kBlock = 65536;
constexpr std::size_t kTask = 4096;

/// Options built in code are held to the same ranges as those that come as text.
void check_options(const Options& options) {
  Options copy;
  for (const OptionInfo& info : option_list()) set_option(copy, info.name, get_option(options, info.name));
}

std::string place(const Table& table) { return table.source().empty() ? "" : table.source() + ": "; }

std::vector<std::string> feature_names(const Table& table, const Roles& roles) {
  if (roles.targets.empty()) bad_input("no target is named: say which column to predict");
  std::set<std::string> taken;
  for (const std::string& target : roles.targets) {
    table.column(target);
    if (!taken.insert(target).second) bad_input("the target '{}' is named twice", target);
  }
  if (!roles.weight.empty() && !taken.insert(table.name(table.column(roles.weight))).second)
    bad_input("the weight column '{}' is a target too", roles.weight);
  for (const std::string& name : roles.ignore) taken.insert(table.name(table.column(name)));
  for (const std::string& target : roles.targets)
    if (std::count(roles.ignore.begin(), roles.ignore.end(), target))
      bad_input("the target '{}' is ignored too", target);
  std::vector<std::string> features;
  for (const std::string& name : table.names())
    if (!taken.count(name)) features.push_back(name);
  if (features.empty())
    bad_input("{}no feature is left: all {} columns are targets, weights or ignored", place(table),
              table.columns());
  return features;
}

/// Numbers of a column that must have one in every row.
std::vector<double> complete_column(const Table& table, const std::string& name, const char* role) {
  const std::size_t column = table.column(name);
  if (table.type(column) != ColumnType::kNumber)
    bad_input("{}the {} '{}' holds text, for example '{}': it must be numbers", place(table), role, name,
              table.levels(column).front());
  std::vector<double> values(table.rows());
  table.copy_numbers(column, 0, values.size(), values.data());
  const auto is_gap = [](double value) { return std::isnan(value); };
  const auto gaps = std::count_if(values.begin(), values.end(), is_gap);
  if (gaps > 0 && static_cast<std::size_t>(gaps) == values.size())
    bad_input("{}the {} '{}' is empty in all {} rows", place(table), role, name, values.size());
  if (gaps > 0)
    bad_input("{}the {} '{}' is empty in {} of {} rows, first in data row {}: remove these rows",
              place(table), role, name, gaps, values.size(),
              std::find_if(values.begin(), values.end(), is_gap) - values.begin() + 1);
  return values;
}

std::vector<double> weight_column(const Table& table, const std::string& name) {
  if (name.empty()) return std::vector<double>(table.rows(), 1.0);
  std::vector<double> values = complete_column(table, name, "weight");
  const auto bad = std::find_if(values.begin(), values.end(), [](double value) { return value < 0; });
  if (bad != values.end())
    bad_input("{}the weight '{}' is {:g} in data row {}: weights are 0 or more", place(table), name, *bad,
              bad - values.begin() + 1);
  return values;
}

/// Which rows train and which validate: a random share is held out.
void hold_out(TrainingRows& rows, std::size_t count, const Options& options) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  std::size_t held = 0;
  if (options.valid_fraction > 0)
    held = std::max<std::size_t>(
        1, static_cast<std::size_t>(std::llround(options.valid_fraction * static_cast<double>(count))));
  if (count < 2 || held >= count)
    bad_input("{} row{} cannot be split into training and validation rows: at least 2 are needed", count,
              count == 1 ? "" : "s");
  Stream random(options.seed, Purpose::kSplit);
  for (std::size_t i = 0; i < held; ++i)
    std::swap(order[i], order[i + random.below(static_cast<std::uint32_t>(count - i))]);
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(held);
  rows.valid.assign(order.begin(), middle);
  rows.train.assign(middle, order.end());
  std::sort(rows.valid.begin(), rows.valid.end());
  std::sort(rows.train.begin(), rows.train.end());
}

/// Encodes a whole table into the rows from `at` on, giving its memory back behind it.
void encode_table(Table& table, const Encoder& encoder, EncodedRows& out, std::size_t at, ThreadPool& pool) {
  const Encoder::Bound bound = encoder.bind(table);
  for (std::size_t begin = 0; begin < table.rows(); begin += kBlock) {
    const std::size_t end = std::min(table.rows(), begin + kBlock);
    pool.run((end - begin + kTask - 1) / kTask, [&](std::size_t task, unsigned) {
      const std::size_t first = begin + task * kTask;
      bound.encode(first, std::min(end, first + kTask), out, at + first);
    });
    table.discard_before(end);
  }
}

/// Everything that is read from the tables before they are given up: targets and weights of both.
struct Observed {
  std::vector<std::vector<double>> targets;
  std::vector<double> weights;

  void append(const Table& table, const Roles& roles) {
    targets.resize(roles.targets.size());
    for (std::size_t t = 0; t < targets.size(); ++t) {
      const std::vector<double> values = complete_column(table, roles.targets[t], "target");
      targets[t].insert(targets[t].end(), values.begin(), values.end());
    }
    const std::vector<double> values = weight_column(table, roles.weight);
    weights.insert(weights.end(), values.begin(), values.end());
  }
};

std::vector<NumberTransform> fit_targets(const Observed& observed, const TrainingRows& rows,
                                         const Options& options) {
  std::vector<NumberTransform> transforms;
  for (const std::vector<double>& values : observed.targets) {
    std::vector<double> training;
    for (std::uint32_t row : rows.train) training.push_back(values[row]);
    transforms.push_back(NumberTransform::fit(options.target_transform, training, options.quantiles));
  }
  return transforms;
}

void transform_targets(const Observed& observed, const std::vector<NumberTransform>& transforms,
                       TrainingRows& rows) {
  const std::size_t count = observed.weights.size(), targets = transforms.size();
  rows.targets = Buffer<float>(count * targets);
  for (std::size_t t = 0; t < targets; ++t)
    for (std::size_t row = 0; row < count; ++row)
      rows.targets[row * targets + t] = static_cast<float>(transforms[t].forward(observed.targets[t][row]));
}

void scale_weights(const Observed& observed, TrainingRows& rows) {
  const auto total = [&](const std::vector<std::uint32_t>& which) {
    double sum = 0;
    for (std::uint32_t row : which) sum += observed.weights[row];
    return sum;
  };
  const double sum = total(rows.train);
  if (!(sum > 0)) bad_input("the weights of all {} training rows are 0", rows.train.size());
  if (!rows.valid.empty() && !(total(rows.valid) > 0))
    bad_input("the weights of all {} validation rows are 0", rows.valid.size());
  rows.weights = Buffer<float>(observed.weights.size());
  for (std::size_t row = 0; row < observed.weights.size(); ++row)
    rows.weights[row] =
        static_cast<float>(observed.weights[row] * static_cast<double>(rows.train.size()) / sum);
}

Model fit_tables(Table train, std::optional<Table> valid, const Roles& roles, const Options& options,
                 const ProgressCallback& progress) {
  check_options(options);
  cpu_level();
  ThreadPool pool(static_cast<unsigned>(options.threads));
  const std::vector<std::string> features = feature_names(train, roles);

  TrainingRows rows;
  Observed observed;
  observed.append(train, roles);
  const std::size_t train_rows = train.rows(), all = train_rows + (valid ? valid->rows() : 0);
  if (valid) {
    observed.append(*valid, roles);
    rows.train.resize(train_rows);
    rows.valid.resize(all - train_rows);
    std::iota(rows.train.begin(), rows.train.end(), 0u);
    std::iota(rows.valid.begin(), rows.valid.end(), static_cast<std::uint32_t>(train_rows));
  } else {
    hold_out(rows, train_rows, options);
  }
  scale_weights(observed, rows);

  auto parts = std::make_unique<Model::Parts>(options, roles.targets, fit_targets(observed, rows, options),
                                              Encoder::fit(train, features, rows.train, options, pool));
  transform_targets(observed, parts->transforms, rows);
  observed = {};
  rows.inputs = EncodedRows(all, parts->encoder.number_columns(), parts->encoder.code_columns());
  if (valid) parts->encoder.bind(*valid);
  encode_table(train, parts->encoder, rows.inputs, 0, pool);
  train = Table();
  if (valid) encode_table(*valid, parts->encoder, rows.inputs, train_rows, pool);
  valid.reset();

  parts->training_rows = rows.train.size();
  for (int member = 0; member < options.members; ++member) {
    TrainedMember trained = train_member(parts->shape, parts->layout, parts->options,
                                         static_cast<std::uint32_t>(member), rows, pool, progress);
    const bool stopped = trained.history.stopped;
    parts->weights.push_back(std::move(trained.weights));
    parts->history.push_back(std::move(trained.history));
    if (stopped) break;
  }
  parts->options.members = static_cast<int>(parts->weights.size());
  return Model(std::move(parts));
}

}  // namespace

Model fit(Table train, const Roles& roles, const Options& options, const ProgressCallback& progress) {
  return fit_tables(std::move(train), std::nullopt, roles, options, progress);
}

Model fit(Table train, Table valid, const Roles& roles, const Options& options,
          const ProgressCallback& progress) {
  return fit_tables(std::move(train), std::move(valid), roles, options, progress);
}

}  // namespace mirrorball
