#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/random.h"
#include "mirrorball/cross_validate.h"
#include "model/fit_columns.h"
#include "table/source_prefix.h"

namespace mirrorball {
namespace {

/// Every row is tested in the fold of its number.
std::vector<Fold> all_tested(const std::vector<std::size_t>& fold_of, std::size_t folds) {
  std::vector<Fold> made(folds);
  for (std::size_t row = 0; row < fold_of.size(); ++row)
    for (std::size_t fold = 0; fold < folds; ++fold)
      (fold == fold_of[row] ? made[fold].test : made[fold].train).push_back(row);
  return made;
}

std::vector<std::size_t> shuffled(std::size_t count, std::uint64_t seed) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Stream random(seed, Purpose::kFolds);
  shuffle(order, random);
  return order;
}

std::vector<Fold> random_folds(std::size_t rows, std::size_t folds, std::uint64_t seed) {
  const std::vector<std::size_t> order = shuffled(rows, seed);
  std::vector<std::size_t> fold_of(rows);
  for (std::size_t i = 0; i < rows; ++i) fold_of[order[i]] = i * folds / rows;
  return all_tested(fold_of, folds);
}

/// Groups from large to small, each to the fold that has the fewest rows so far.
std::vector<Fold> group_folds(const Table& table, const std::string& column, std::size_t folds,
                              std::uint64_t seed) {
  const std::vector<std::uint32_t> groups = model::group_column(table, column);
  const std::size_t count = *std::max_element(groups.begin(), groups.end()) + std::size_t{1};
  if (count < folds)
    bad_input("{}the {} group{} of '{}' cannot make {} folds: at most one fold for each group",
              table::source_prefix(table), count, count == 1 ? "" : "s", column, folds);
  std::vector<std::size_t> sizes(count), order = shuffled(count, seed), fold_of_group(count), filled(folds);
  for (const std::uint32_t group : groups) ++sizes[group];
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
  for (const std::size_t group : order) {
    const auto least =
        static_cast<std::size_t>(std::min_element(filled.begin(), filled.end()) - filled.begin());
    fold_of_group[group] = least;
    filled[least] += sizes[group];
  }
  std::vector<std::size_t> fold_of(groups.size());
  for (std::size_t row = 0; row < groups.size(); ++row) fold_of[row] = fold_of_group[groups[row]];
  return all_tested(fold_of, folds);
}

/// Parts of about equal size; rows of one time stay together.
std::vector<Fold> time_folds(const Table& table, const std::string& column, std::size_t folds) {
  const std::vector<double> values = model::order_column(table, column);
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> starts;  // of the parts behind the first
  for (std::size_t part = 1; part <= folds; ++part) {
    const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(part * sorted.size() / (folds + 1));
    const double after = starts.empty() ? sorted.front() : starts.back();
    const auto next = *at > after ? at : std::upper_bound(at, sorted.end(), after);
    if (next == sorted.end())
      bad_input("{}'{}' has too few values to cut the rows into {} parts, one more than the folds",
                table::source_prefix(table), column, folds + 1);
    starts.push_back(*next);
  }
  std::vector<Fold> made(folds);
  for (std::size_t row = 0; row < values.size(); ++row) {
    const auto part = static_cast<std::size_t>(std::upper_bound(starts.begin(), starts.end(), values[row]) -
                                               starts.begin());
    if (part > 0) made[part - 1].test.push_back(row);
    for (std::size_t fold = part; fold < folds; ++fold) made[fold].train.push_back(row);
  }
  return made;
}

}  // namespace

std::vector<Fold> cross_validation_folds(const Table& table, const Roles& roles, std::size_t folds,
                                         std::uint64_t seed) {
  if (folds < 2) bad_input("{} fold{} asked for: at least 2", folds, folds == 1 ? " was" : "s were");
  if (folds > table.rows())
    bad_input("{}{} rows cannot make {} folds: at most one fold for each row", table::source_prefix(table),
              table.rows(), folds);
  if (!roles.valid_by.empty()) return time_folds(table, roles.valid_by, folds);
  if (!roles.group.empty()) return group_folds(table, roles.group, folds, seed);
  return random_folds(table.rows(), folds, seed);
}

}  // namespace mirrorball
