#include "model/fill_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "encode/moments.h"
#include "plan/rules.h"
#include "table/source_prefix.h"

namespace mirrorball::model {
namespace {

/// Rows encoded at a time; the table's memory is given back behind it.
constexpr std::size_t kBlock = 65536;

/// Encodes a whole table into the rows from `at` on, giving its memory back behind it.
void encode_table(Table& table, const encode::Encoder& encoder, rows::EncodedRows& out, std::size_t at,
                  ThreadPool& pool) {
  const encode::Encoder::Bound bound = encoder.bind(table);
  for (std::size_t begin = 0; begin < table.rows(); begin += kBlock) {
    const std::size_t end = std::min(table.rows(), begin + kBlock);
    bound.encode(begin, end, out, at + begin, pool);
    table.discard_before(end);
  }
}

/// A quantile transform never leaves its range: where too many of the rows held out do, no interval can keep
/// its promise.
void check_range(const Table& table, const std::string& name, const encode::NumberTransform& transform,
                 std::size_t t, std::size_t targets, const train::TrainingRows& rows) {
  if (!transform.has_quantiles() || rows.conformal.empty()) return;
  const auto outside = std::count_if(rows.conformal.begin(), rows.conformal.end(), [&](rows::RowNumber row) {
    const double value = rows.observed[row * targets + t];
    return value < transform.knots().front() || value > transform.knots().back();
  });
  if (10 * static_cast<std::size_t>(outside) > rows.conformal.size())
    bad_input(
        "{}the target '{}' is outside its training range in {} of the {} rows held out for conformal "
        "calibration, and its transform cannot leave that range: use target_transform standard",
        table::source_prefix(table), name, outside, rows.conformal.size());
}

}  // namespace

double fill_weights(const FitTables& tables, const std::string& name, train::TrainingRows& rows) {
  rows.weights = Buffer<float>(tables.rows());
  std::fill(rows.weights.begin(), rows.weights.end(), 1.0f);
  if (name.empty()) return 1;
  const std::vector<double> values = weight_column(tables, name);
  const auto total = [&](const std::vector<rows::RowNumber>& which, const char* role) {
    double sum = 0;
    for (rows::RowNumber row : which) sum += values[row];
    if (!which.empty() && !(sum > 0))
      bad_input("{}the weight '{}' is 0 in all {} {} rows", table::source_prefix(tables.train), name,
                which.size(), role);
    return sum;
  };
  const double scale = static_cast<double>(rows.train.size()) / total(rows.train, "training");
  total(rows.valid, "validation");
  total(rows.conformal, "conformal");
  for (std::size_t row = 0; row < values.size(); ++row)
    rows.weights[row] = static_cast<float>(values[row] * scale);
  return scale;
}

namespace {

/// How often the commonest of ascending values occurs.
std::size_t most_repeated(const std::vector<double>& sorted) {
  std::size_t most = 0;
  for (auto at = sorted.begin(); at != sorted.end();) {
    const auto next = std::upper_bound(at, sorted.end(), *at);
    most = std::max(most, static_cast<std::size_t>(next - at));
    at = next;
  }
  return most;
}

std::vector<double> sorted_of(const std::vector<double>& values, std::span<const rows::RowNumber> which) {
  std::vector<double> some;
  some.reserve(which.size());
  for (const rows::RowNumber row : which) some.push_back(values[row]);
  std::sort(some.begin(), some.end());
  return some;
}

/// The wished transform of the targets, as several of them settle it.
Transform joint_wish(const FitTables& tables, const std::vector<std::string>& names, const Options& options,
                     std::span<const rows::RowNumber> seen) {
  if (names.size() < 2 || options.target_transform != Transform::kAuto) return options.target_transform;
  std::vector<plan::TargetFacts> facts;
  for (const std::string& name : names) {
    const std::vector<double> training = sorted_of(target_column(tables, name), seen);
    facts.push_back({most_repeated(training), encode::extent(training)});
  }
  return plan::joint_transform(options.target_transform, seen.size(), facts);
}

}  // namespace

std::vector<encode::NumberTransform> fill_targets(const FitTables& tables,
                                                  const std::vector<std::string>& names,
                                                  const Options& options,
                                                  std::span<const rows::RowNumber> seen,
                                                  train::TrainingRows& rows) {
  std::vector<encode::NumberTransform> transforms;
  rows.targets = Buffer<float>(tables.rows() * names.size());
  rows.observed = Buffer<double>(tables.rows() * names.size());
  const Transform wish = joint_wish(tables, names, options, seen);
  for (std::size_t t = 0; t < names.size(); ++t) {
    const std::vector<double> values = target_column(tables, names[t]);
    std::vector<double> training = sorted_of(values, seen);
    const Transform kind = plan::target_transform(wish, training.size(), most_repeated(training));
    transforms.push_back(encode::NumberTransform::fit(kind, training, options.knots).with_rounded_knots());
    encode::check_untransformed(
        options.target_transform, training,
        fmt::format("{}the target '{}'", table::source_prefix(tables.train), names[t]), "target_transform");
    for (std::size_t row = 0; row < values.size(); ++row) {
      const double value = transforms[t].rounded(values[row]);
      rows.observed[row * names.size() + t] = value;
      rows.targets[row * names.size() + t] = static_cast<float>(transforms[t].forward(value));
    }
    check_range(tables.train, names[t], transforms[t], t, names.size(), rows);
  }
  return transforms;
}

void fill_inputs(FitTables tables, const encode::Encoder& encoder, train::TrainingRows& rows,
                 ThreadPool& pool) {
  if (tables.valid) encoder.bind(*tables.valid);  // complain before the work, not after it
  rows.inputs = rows::EncodedRows(tables.rows(), encoder.number_columns(), encoder.code_columns());
  const std::size_t train_rows = tables.train.rows();
  encode_table(tables.train, encoder, rows.inputs, 0, pool);
  if (tables.valid) encode_table(*tables.valid, encoder, rows.inputs, train_rows, pool);
}

}  // namespace mirrorball::model
