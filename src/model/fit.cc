#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

#include "base/error.h"
#include "base/random.h"
#include "kernels/level.h"
#include "model/calibrate.h"
#include "model/parts.h"
#include "table/source_prefix.h"
#include "train/ensemble.h"

namespace mirrorball {
namespace {

/// Rows encoded at a time; the table's memory is given back behind it.
constexpr std::size_t kBlock = 65536;

/// Options built in code are held to the same ranges as those that come as text, and to each other.
void check_options(const Options& options, std::size_t targets) {
  Options copy;
  for (const OptionInfo& info : option_list()) set_option(copy, info.name, get_option(options, info.name));
  if (options.precision == Precision::kBfloat16 && !cpu_level().bfloat)
    bad_input("precision bfloat16 needs a CPU with AVX-512 BF16, and this one runs at level {}: use auto",
              cpu_level().name);
  if (options.network == Network::kPoint) {
    if (options.calibrate == Calibrate::kConformal)
      bad_input(
          "calibrate conformal promises an interval, and a point network gives one number: take another "
          "network, or "
          "leave calibrate out");
    return;
  }
  const int dims = options.noise_dim > 0 ? options.noise_dim : static_cast<int>(targets);
  if (options.network == Network::kDnPlus && options.cosines < 2 * dims)
    bad_input(
        "{} cosines among {} noise dimensions are too few, the first of each being constant: at least {}",
        options.cosines, dims, 2 * dims);
  if (options.fair && options.sampling == Sampling::kStratified)
    bad_input(
        "the fair weights make stratified draws spread too far: use sampling independent, or fair false");
}

std::vector<std::string> feature_names(const Table& table, const Roles& roles) {
  if (roles.targets.empty()) bad_input("no target is named: say which column to predict");
  std::set<std::string> taken;
  for (const std::string& target : roles.targets) {
    table.column(target);
    if (!taken.insert(target).second) bad_input("the target '{}' is named twice", target);
  }
  if (!roles.weight.empty() && !taken.insert(table.name(table.column(roles.weight))).second)
    bad_input("the weight column '{}' is a target too", roles.weight);
  const std::vector<std::string> all = table.header();  // what is ignored need not have been read
  for (const std::string& name : roles.ignore) {
    if (std::find(all.begin(), all.end(), name) == all.end()) table.column(name);
    taken.insert(name);
  }
  for (const std::string& target : roles.targets)
    if (std::count(roles.ignore.begin(), roles.ignore.end(), target))
      bad_input("the target '{}' is ignored too", target);
  std::vector<std::string> features;
  for (const std::string& name : table.names())
    if (!taken.count(name)) features.push_back(name);
  if (features.empty())
    bad_input("{}no feature is left: of {} columns, all are targets, weights or ignored",
              source_prefix(table), all.size());
  return features;
}

/// Numbers of a column that must have one in every row.
std::vector<double> complete_column(const Table& table, const std::string& name, const char* role) {
  const std::size_t column = table.column(name);
  if (table.type(column) != ColumnType::kNumber)
    bad_input("{}the {} '{}' holds text, for example '{}': it must be numbers", source_prefix(table), role,
              name, table.levels(column).front());
  std::vector<double> values(table.rows());
  table.copy_numbers(column, 0, values.size(), values.data());
  const auto is_gap = [](double value) { return std::isnan(value); };
  const auto gaps = std::count_if(values.begin(), values.end(), is_gap);
  if (gaps > 0 && static_cast<std::size_t>(gaps) == values.size())
    bad_input("{}the {} '{}' is empty in all {} rows", source_prefix(table), role, name, values.size());
  if (gaps > 0)
    bad_input("{}the {} '{}' is empty in {} of {} rows, first in data row {}: remove these rows",
              source_prefix(table), role, name, gaps, values.size(),
              std::find_if(values.begin(), values.end(), is_gap) - values.begin() + 1);
  return values;
}

std::vector<double> target_column(const Table& table, const std::string& name) {
  return complete_column(table, name, "target");
}

std::vector<double> weight_column(const Table& table, const std::string& name) {
  std::vector<double> values = complete_column(table, name, "weight");
  const auto bad = std::find_if(values.begin(), values.end(), [](double value) { return value < 0; });
  if (bad != values.end())
    bad_input("{}the weight '{}' is {:g} in data row {}: weights are 0 or more", source_prefix(table), name,
              *bad, bad - values.begin() + 1);
  return values;
}

/// Which rows train and which validate: a random share is held out.
void hold_out(TrainingRows& rows, const Table& table, const Options& options) {
  const std::size_t count = table.rows();
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  std::size_t held = 0;
  if (options.valid_fraction > 0) {
    const auto share =
        static_cast<std::size_t>(std::llround(options.valid_fraction * static_cast<double>(count)));
    held =
        std::max({std::size_t{1}, share, std::min(count / 5, static_cast<std::size_t>(options.min_valid))});
  }
  if (count < 2 || held >= count)
    bad_input(
        "{}{} row{} cannot be split into training rows and {} to hold out: give more rows or a smaller "
        "valid_fraction (it is {:g})",
        source_prefix(table), count, count == 1 ? "" : "s", held, options.valid_fraction);
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
    constexpr std::size_t kTask = 4096;
    pool.run((end - begin + kTask - 1) / kTask, [&](std::size_t task, unsigned) {
      const std::size_t first = begin + task * kTask;
      bound.encode(first, std::min(end, first + kTask), out, at + first);
    });
    table.discard_before(end);
  }
}

/// The training table, and the validation table where there is one of its own; their rows are numbered
/// through.
struct Tables {
  Table train;
  std::optional<Table> valid;

  std::size_t rows() const { return train.rows() + (valid ? valid->rows() : 0); }

  /// One column of both.
  template <class Read>
  std::vector<double> numbers(const std::string& name, Read read) const {
    std::vector<double> values = read(train, name);
    if (valid) {
      const std::vector<double> more = read(*valid, name);
      values.insert(values.end(), more.begin(), more.end());
    }
    return values;
  }
};

/// Takes every second validation row for the guarantee of conformal intervals.
void set_conformal_apart(TrainingRows& rows) {
  constexpr std::size_t kFewest = 20;  // half of them just make a finite interval possible
  if (rows.valid.size() < kFewest)
    bad_input(
        "conformal calibration takes half of the validation rows, and there are {}: it needs {} or more",
        rows.valid.size(), kFewest);
  std::vector<std::uint32_t> rest;
  for (std::size_t i = 0; i < rows.valid.size(); ++i)
    (i % 2 == 0 ? rest : rows.conformal).push_back(rows.valid[i]);
  rows.valid = std::move(rest);
}

void split_rows(const Tables& tables, const Options& options, TrainingRows& rows) {
  if (tables.valid) {
    rows.train.resize(tables.train.rows());
    rows.valid.resize(tables.valid->rows());
    std::iota(rows.train.begin(), rows.train.end(), 0u);
    std::iota(rows.valid.begin(), rows.valid.end(), static_cast<std::uint32_t>(tables.train.rows()));
  } else {
    hold_out(rows, tables.train, options);
  }
  if (options.calibrate == Calibrate::kConformal) set_conformal_apart(rows);
}

/// Whether networks train on with the held-out rows in the end. Not with validation rows of the user's own,
/// and not where these rows are to keep a promise.
bool refits(const Tables& tables, const Options& options, const TrainingRows& rows) {
  return options.refit && !tables.valid && !rows.valid.empty() && options.calibrate != Calibrate::kConformal;
}

std::vector<std::uint32_t> joined(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  std::vector<std::uint32_t> all(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), all.begin());
  return all;
}

/// Weights with mean 1 over the training rows; all 1 without a column of them.
void fill_weights(const Tables& tables, const std::string& name, TrainingRows& rows) {
  rows.weights = Buffer<float>(tables.rows());
  std::fill(rows.weights.begin(), rows.weights.end(), 1.0f);
  if (name.empty()) return;
  const std::vector<double> values = tables.numbers(name, weight_column);
  const auto total = [&](const std::vector<std::uint32_t>& which, const char* role) {
    double sum = 0;
    for (std::uint32_t row : which) sum += values[row];
    if (!which.empty() && !(sum > 0))
      bad_input("{}the weight '{}' is 0 in all {} {} rows", source_prefix(tables.train), name, which.size(),
                role);
    return sum;
  };
  const double scale = static_cast<double>(rows.train.size()) / total(rows.train, "training");
  total(rows.valid, "validation");
  total(rows.conformal, "set-apart");
  for (std::size_t row = 0; row < values.size(); ++row)
    rows.weights[row] = static_cast<float>(values[row] * scale);
}

/// A quantile transform never leaves its range: where too many of the set-apart rows do, no interval can keep
/// its promise.
void check_range(const Table& table, const std::string& name, const NumberTransform& transform, std::size_t t,
                 std::size_t targets, const TrainingRows& rows) {
  if (!transform.has_quantiles() || rows.conformal.empty()) return;
  const auto outside = std::count_if(rows.conformal.begin(), rows.conformal.end(), [&](std::uint32_t row) {
    const double value = rows.observed[row * targets + t];
    return value < transform.knots().front() || value > transform.knots().back();
  });
  if (10 * static_cast<std::size_t>(outside) > rows.conformal.size())
    bad_input(
        "{}the target '{}' lies outside its training range in {} of the {} rows set apart for conformal "
        "calibration, and its transform cannot leave that range: use target_transform standard",
        source_prefix(table), name, outside, rows.conformal.size());
}

/// Fits the transforms on the rows `seen` and applies them, one target at a time to hold only one in double.
std::vector<NumberTransform> fill_targets(const Tables& tables, const std::vector<std::string>& names,
                                          const Options& options, std::span<const std::uint32_t> seen,
                                          TrainingRows& rows) {
  std::vector<NumberTransform> transforms;
  rows.targets = Buffer<float>(tables.rows() * names.size());
  rows.observed = Buffer<double>(tables.rows() * names.size());
  for (std::size_t t = 0; t < names.size(); ++t) {
    const std::vector<double> values = tables.numbers(names[t], target_column);
    std::vector<double> training;
    training.reserve(seen.size());
    for (std::uint32_t row : seen) training.push_back(values[row]);
    transforms.push_back(
        NumberTransform::fit(options.target_transform, training, options.quantiles).with_rounded_knots());
    for (std::size_t row = 0; row < values.size(); ++row) {
      const double value = transforms[t].rounded(values[row]);
      rows.observed[row * names.size() + t] = value;
      rows.targets[row * names.size() + t] = static_cast<float>(transforms[t].forward(value));
    }
    check_range(tables.train, names[t], transforms[t], t, names.size(), rows);
  }
  return transforms;
}

/// Encodes both tables, which are given up on the way.
void fill_inputs(Tables tables, const Encoder& encoder, TrainingRows& rows, ThreadPool& pool) {
  if (tables.valid) encoder.bind(*tables.valid);  // complain before the work, not after it
  rows.inputs = EncodedRows(tables.rows(), encoder.number_columns(), encoder.code_columns());
  const std::size_t train_rows = tables.train.rows();
  encode_table(tables.train, encoder, rows.inputs, 0, pool);
  if (tables.valid) encode_table(*tables.valid, encoder, rows.inputs, train_rows, pool);
}

/// Shares of the progress, and of the time where it is limited, until the refit begins.
constexpr double kFirstTraining = 0.8;

/// Passes a stage's progress on as a part of the whole.
ProgressCallback stage(const ProgressCallback& progress, double begin, double end, bool refit) {
  if (!progress) return {};
  return [=](Progress now) {
    now.share = begin + (end - begin) * now.share;
    now.refit = refit;
    return progress(now);
  };
}

std::optional<GrownForest> grow_forest(const TrainingRows& rows, std::span<const std::uint32_t> seen,
                                       const Model::Parts& parts, ThreadPool& pool) {
  const Options& options = parts.options;
  if (options.forest == 0 || options.calibrate == Calibrate::kNone || parts.targets.size() > 1 ||
      rows.valid.empty() || !parts.shape.noisy())
    return {};
  ForestPlan plan;
  plan.trees = static_cast<std::size_t>(options.forest);
  return Forest::grow(rows.inputs, rows.targets.span(), rows.weights.span(), seen, plan, options.seed, pool);
}

/// Networks, forest and calibration; then, where there are rows to add, the networks once more with all they
/// may see.
void train(TrainingRows& rows, std::vector<std::uint32_t> seen, ThreadPool& pool,
           const ProgressCallback& progress, Model::Parts& parts) {
  const bool refit = seen.size() > rows.train.size();
  const TimeSlot whole(parts.options.time_limit);
  Options first = parts.options;
  if (refit) first.time_limit *= kFirstTraining;
  std::optional<GrownForest> forest = grow_forest(rows, seen, parts, pool);
  bool stopped = false;
  for (TrainedMember& trained : train_members(parts.shape, parts.layout, first, rows, pool.size(),
                                              stage(progress, 0, refit ? kFirstTraining : 1, false))) {
    stopped = stopped || trained.history.stopped;
    parts.weights.push_back(std::move(trained.weights));
    parts.history.push_back(std::move(trained.history));
  }
  parts.options.members = static_cast<int>(parts.weights.size());
  parts.training_rows = rows.train.size();
  calibrate(rows, forest ? &*forest : nullptr, pool, parts);
  if (forest && parts.is_calibrated() && parts.calibration[0].forest_weight > 0)
    parts.forest = std::move(forest->forest);
  if (!refit || stopped) return;
  rows.train = std::move(seen);
  rows.valid.clear();
  Options again = parts.options;
  if (again.time_limit > 0) again.time_limit = std::max(1e-3, again.time_limit * (1 - whole.used()));
  refit_members(parts.shape, parts.layout, again, rows, pool.size(), stage(progress, kFirstTraining, 1, true),
                parts.history, parts.weights);
  if (std::any_of(parts.history.begin(), parts.history.end(), [](const MemberHistory& m) { return m.refit; }))
    parts.training_rows = rows.train.size();
}

Model fit_tables(Tables tables, const Roles& roles, const Options& options,
                 const ProgressCallback& progress) {
  check_options(options, roles.targets.size());
  cpu_level();
  ThreadPool pool(static_cast<unsigned>(options.threads));
  const std::vector<std::string> features = feature_names(tables.train, roles);
  TrainingRows rows;
  split_rows(tables, options, rows);
  std::vector<std::uint32_t> seen =
      refits(tables, options, rows) ? joined(rows.train, rows.valid) : rows.train;
  fill_weights(tables, roles.weight, rows);
  std::vector<NumberTransform> transforms = fill_targets(tables, roles.targets, options, seen, rows);
  auto parts = std::make_unique<Model::Parts>(options, roles.targets, std::move(transforms),
                                              Encoder::fit(tables.train, features, seen, options, pool));
  fill_inputs(std::move(tables), parts->encoder, rows, pool);
  train(rows, std::move(seen), pool, progress, *parts);
  return Model(std::move(parts));
}

}  // namespace

Model fit(Table train, const Roles& roles, const Options& options, const ProgressCallback& progress) {
  return fit_tables({std::move(train), std::nullopt}, roles, options, progress);
}

Model fit(Table train, Table valid, const Roles& roles, const Options& options,
          const ProgressCallback& progress) {
  return fit_tables({std::move(train), std::move(valid)}, roles, options, progress);
}

}  // namespace mirrorball
