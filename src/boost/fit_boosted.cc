#include "boost/fit_boosted.h"

#include <algorithm>
#include <cmath>

#include "boost/tree_grower.h"

namespace mirrorball::boost {
namespace {

/// Cuts are chosen by so many rows at most: bins of more would not be much better.
constexpr std::size_t kCutRows = 100000;
/// Rows of the mean of all that a category's mean is mixed with.
constexpr double kCategoryShrinkage = 10;

/// The rows of all folds, numbered one fold after the other.
struct FoldRows {
  std::vector<std::uint32_t> rows;  ///< of the table
  std::vector<std::uint8_t> fold;
  std::vector<float> targets, weights;
};

FoldRows gather(const BoostData& data, std::span<const std::vector<std::uint32_t>> folds) {
  FoldRows all;
  for (std::size_t fold = 0; fold < folds.size(); ++fold)
    for (const std::uint32_t row : folds[fold]) {
      all.rows.push_back(row);
      all.fold.push_back(static_cast<std::uint8_t>(fold));
      all.targets.push_back(data.targets[row * data.stride + data.at]);
      all.weights.push_back(data.weights[row]);
    }
  return all;
}

/// The column's values, evenly thinned.
template <class Value>
std::vector<float> cuts_by(std::size_t rows, const Value& value) {
  const std::size_t count = std::min(rows, kCutRows);
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = value(i * rows / count);
  return cuts_of(std::move(values));
}

/// The number columns of all rows by their bins; others, codes among them, have a single bin.
BinnedRows bin_numbers(const BoostData& data, const FoldRows& all, ThreadPool& pool) {
  const std::size_t numbers = data.rows.number_columns, columns = numbers + data.rows.code_columns;
  BinnedRows binned{std::vector<std::vector<float>>(columns),
                    std::vector<std::uint8_t>(all.rows.size() * columns)};
  pool.run(data.columns.size(), [&](std::size_t task, unsigned) {
    const std::size_t column = data.columns[task];
    const auto value = [&](std::size_t i) { return data.rows.numbers[all.rows[i] * numbers + column]; };
    binned.cuts[column] = cuts_by(all.rows.size(), value);
    for (std::size_t i = 0; i < all.rows.size(); ++i)
      binned.bins[i * columns + column] = bin_of(binned.cuts[column], value(i));
  });
  return binned;
}

double weighted_mean(const FoldRows& all, std::span<const std::uint32_t> which) {
  double sum = 0, weight = 0;
  for (const std::uint32_t i : which) {
    sum += static_cast<double>(all.weights[i]) * static_cast<double>(all.targets[i]);
    weight += static_cast<double>(all.weights[i]);
  }
  return weight > 0 ? sum / weight : 0;
}

/// Mean targets of the codes over the rows `which`, less the mean of all, shrunken to 0 where rows are few.
std::vector<float> values_of_codes(const BoostData& data, const FoldRows& all,
                                   std::span<const std::uint32_t> which, double mean) {
  std::vector<double> sum(data.learned_rows), weight(data.learned_rows);
  const std::size_t codes = data.rows.code_columns;
  for (const std::uint32_t i : which)
    for (std::size_t c = 0; c < codes; ++c) {
      const std::int32_t code = data.rows.codes[all.rows[i] * codes + c];
      if (code < 0) continue;
      sum[static_cast<std::size_t>(code)] +=
          static_cast<double>(all.weights[i]) * (static_cast<double>(all.targets[i]) - mean);
      weight[static_cast<std::size_t>(code)] += static_cast<double>(all.weights[i]);
    }
  std::vector<float> values(data.learned_rows);
  for (std::size_t code = 0; code < values.size(); ++code)
    values[code] = static_cast<float>(sum[code] / (weight[code] + kCategoryShrinkage));
  return values;
}

/// Adds the bins of the codes, by what they stand for.
void bin_codes(const BoostData& data, const FoldRows& all, std::span<const float> values,
               BinnedRows& binned) {
  const std::size_t codes = data.rows.code_columns, numbers = data.rows.number_columns;
  for (std::size_t c = 0; c < codes; ++c) {
    const auto value = [&](std::size_t i) {
      const std::int32_t code = data.rows.codes[all.rows[i] * codes + c];
      return code < 0 ? 0.0f : values[static_cast<std::size_t>(code)];
    };
    binned.cuts[numbers + c] = cuts_by(all.rows.size(), value);
    for (std::size_t i = 0; i < all.rows.size(); ++i)
      binned.bins[i * binned.columns() + numbers + c] = bin_of(binned.cuts[numbers + c], value(i));
  }
}

double mean_squared(const FoldRows& all, std::span<const std::uint32_t> which,
                    std::span<const float> forecast) {
  double sum = 0;
  for (const std::uint32_t i : which) {
    const double error = static_cast<double>(all.targets[i] - forecast[i]);
    sum += static_cast<double>(all.weights[i]) * error * error;
  }
  return sum;
}

/// Takes away all trees but the first `count`.
void cut_back(std::size_t count, BoostedTrees& trees) {
  if (count == trees.roots.size()) return;
  trees.nodes.resize(static_cast<std::size_t>(trees.roots[count]));
  trees.roots.resize(count);
}

/// The trees of one fold, this share of what is watched: from all other rows, as long as they lower its own
/// error.
BoostedTrees boost_fold(const BoostData& data, const FoldRows& all, BinnedRows binned, std::size_t fold,
                        const BoostPlan& plan, double share, std::uint64_t seed) {
  std::vector<std::uint32_t> own, others;
  for (std::uint32_t i = 0; i < all.rows.size(); ++i) (all.fold[i] == fold ? own : others).push_back(i);
  const double mean = weighted_mean(all, others);
  BoostedTrees trees;
  trees.starts = {static_cast<float>(mean)};
  trees.code_values = values_of_codes(data, all, others, mean);
  bin_codes(data, all, trees.code_values, binned);
  TreeGrower grower(binned, {plan::boost_shape(others.size(), data.columns.size() + data.rows.code_columns)});
  std::vector<float> forecast(all.rows.size(), trees.starts[0]), residuals(all.rows.size());
  Stream random(seed, Purpose::kBoost, static_cast<std::uint32_t>(data.at), static_cast<std::uint32_t>(fold));
  double least = mean_squared(all, own, forecast);
  std::size_t best = 0;
  const WorkTime time(plan.seconds, plan.watch);
  std::size_t round = 1;
  for (; round <= plan.rounds && round <= best + plan.patience && !time.is_over(); ++round) {
    time.add(share / static_cast<double>(plan.rounds));
    for (std::size_t i = 0; i < residuals.size(); ++i) residuals[i] = all.targets[i] - forecast[i];
    grower.grow(others, residuals, all.weights, random, trees, forecast);
    const double error = mean_squared(all, own, forecast);
    if (!(error < least)) continue;
    least = error;
    best = round;
  }
  time.add(share * static_cast<double>(plan.rounds + 1 - round) / static_cast<double>(plan.rounds));
  cut_back(best, trees);
  return trees;
}

/// Adds the trees of a fold: nodes are numbered on from those there are.
void append(const BoostedTrees& fold, BoostedTrees& all) {
  const auto nodes = static_cast<std::int32_t>(all.nodes.size());
  for (BoostedTrees::Node node : fold.nodes) {
    if (node.feature >= 0) node.child += nodes;
    all.nodes.push_back(node);
  }
  for (const std::int32_t root : fold.roots) all.roots.push_back(nodes + root);
  all.fold_begin.push_back(static_cast<std::int32_t>(all.roots.size()));
  all.starts.insert(all.starts.end(), fold.starts.begin(), fold.starts.end());
  all.code_values.insert(all.code_values.end(), fold.code_values.begin(), fold.code_values.end());
}

}  // namespace

double FittedBoost::held_out_mean(const rows::EncodedRows& rows, std::size_t row) const {
  return fold_of[row] == kNoFold ? trees.mean(rows.numbers_of(row), rows.codes_of(row))
                                 : trees.mean_of_fold(fold_of[row], rows.numbers_of(row), rows.codes_of(row));
}

FittedBoost fit_boosted(const BoostData& data, std::span<const std::vector<std::uint32_t>> folds,
                        const BoostPlan& plan, std::uint64_t seed, ThreadPool& pool) {
  const FoldRows all = gather(data, folds);
  const BinnedRows binned = bin_numbers(data, all, pool);
  std::vector<BoostedTrees> each(folds.size());
  BoostPlan own = plan;  // folds come one after the other where there are more than threads
  own.seconds /= std::ceil(static_cast<double>(folds.size()) / static_cast<double>(pool.size()));
  const double share = plan.watched_share / static_cast<double>(folds.size());
  pool.run(folds.size(), [&](std::size_t fold, unsigned) {
    each[fold] = boost_fold(data, all, binned, fold, own, share, seed);
  });
  FittedBoost fitted;
  fitted.trees.fold_begin = {0};
  for (const BoostedTrees& fold : each) append(fold, fitted.trees);
  fitted.fold_of.assign(data.rows.rows, FittedBoost::kNoFold);
  for (std::size_t i = 0; i < all.rows.size(); ++i) fitted.fold_of[all.rows[i]] = all.fold[i];
  return fitted;
}

}  // namespace mirrorball::boost
