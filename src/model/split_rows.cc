#include "model/split_rows.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "base/error.h"
#include "base/random.h"
#include "base/sample_rows.h"
#include "plan/rules.h"
#include "table/source_prefix.h"

namespace mirrorball::model {
namespace {

/// Which of `count` rows are held out, as marks: a random share.
std::vector<bool> random_rows(std::size_t count, std::size_t held, const Options& options) {
  std::vector<rows::RowNumber> order(count);
  std::iota(order.begin(), order.end(), rows::RowNumber{0});
  Stream random(options.seed, Purpose::kSplit);
  choose_first(order, held, random);
  std::vector<bool> out(count);
  for (std::size_t i = 0; i < held; ++i) out[order[i]] = true;
  return out;
}

/// The rows with the greatest values. Rows of equal value stay together: about `held` of them are held out.
std::vector<bool> last_rows(const Table& table, const std::string& column, std::size_t held) {
  const std::vector<double> values = order_column(table, column);
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  if (sorted.front() == sorted.back())
    bad_input("{}the validation order '{}' is {:g} in all {} rows: there are no last rows",
              table::source_prefix(table), column, sorted.front(), sorted.size());
  const double cut = sorted[sorted.size() - std::max<std::size_t>(held, 1)];
  const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), cut);
  const auto with = sorted.end() - first, without = sorted.end() - last,
             wanted = static_cast<std::ptrdiff_t>(held);
  const bool takes_equals = without == 0 || (first != sorted.begin() && with - wanted <= wanted - without);
  std::vector<bool> out(values.size());
  for (std::size_t row = 0; row < out.size(); ++row)
    out[row] = takes_equals ? values[row] >= cut : values[row] > cut;
  return out;
}

/// Random groups of about `held` rows together. A group that would make far too many is passed over; where
/// all would, the smallest one is held out.
std::vector<bool> whole_groups(const Table& table, const std::string& column,
                               const std::vector<std::uint32_t>& groups, std::size_t held,
                               const Options& options) {
  const std::size_t count = *std::max_element(groups.begin(), groups.end()) + std::size_t{1};
  if (count < 2)
    bad_input("{}the group '{}' is the same in all {} rows: at least 2 groups are needed to hold one out",
              table::source_prefix(table), column, groups.size());
  std::vector<std::size_t> sizes(count), order(count);
  for (const std::uint32_t group : groups) ++sizes[group];
  std::iota(order.begin(), order.end(), std::size_t{0});
  Stream random(options.seed, Purpose::kSplit);
  shuffle(order, random);
  std::vector<bool> chosen(count), out(groups.size());
  std::size_t total = 0;
  for (const std::size_t group : order) {
    if (total >= held) break;
    const std::size_t with = total + sizes[group];
    if (with > held + held / 2 || with == groups.size()) continue;
    chosen[group] = true;
    total = with;
  }
  if (total == 0)
    chosen[static_cast<std::size_t>(std::min_element(sizes.begin(), sizes.end()) - sizes.begin())] = true;
  for (std::size_t row = 0; row < out.size(); ++row) out[row] = chosen[groups[row]];
  return out;
}

/// Which rows train and which validate; `held` of them, or about as many.
void hold_out(train::TrainingRows& rows, const Table& table, const Roles& roles, const Options& options,
              std::size_t held) {
  const std::size_t count = table.rows();
  if (count < 2 || held >= count)
    bad_input(
        "{}cannot hold out {} of {} row{} for validation: give more rows or a smaller valid_fraction (it is "
        "{:g})",
        table::source_prefix(table), held, count, count == 1 ? "" : "s", options.valid_fraction);
  if (!roles.group.empty() && held > 0) rows.groups = group_column(table, roles.group);
  const std::vector<bool> out = held == 0                 ? std::vector<bool>(count)
                                : !roles.valid_by.empty() ? last_rows(table, roles.valid_by, held)
                                : !roles.group.empty()
                                    ? whole_groups(table, roles.group, rows.groups, held, options)
                                    : random_rows(count, held, options);
  for (std::size_t row = 0; row < count; ++row)
    (out[row] ? rows.valid : rows.train).push_back(static_cast<rows::RowNumber>(row));
}

/// All rows in random folds, whose sizes differ by one row at most.
void make_folds(train::TrainingRows& rows, std::size_t count, std::size_t folds, std::uint64_t seed) {
  std::vector<rows::RowNumber> order(count);
  std::iota(order.begin(), order.end(), rows::RowNumber{0});
  Stream random(seed, Purpose::kFolds);
  shuffle(order, random);
  rows.folds.resize(folds);
  for (std::size_t i = 0; i < count; ++i) rows.folds[i % folds].push_back(order[i]);
  for (auto& fold : rows.folds) std::sort(fold.begin(), fold.end());
  const train::TrainingRows::Split first = rows.split_of(0);
  rows.train = first.train;
  rows.valid = first.valid;
}

/// Takes every second validation row for the guarantee of conformal intervals; of groups, half of them.
void set_conformal_apart(train::TrainingRows& rows) {
  if (rows.valid.size() < plan::kFewestConformalRows)
    bad_input(
        "conformal calibration uses half of the validation rows, but there are only {}: it needs at least {}",
        rows.valid.size(), plan::kFewestConformalRows);
  std::vector<rows::RowNumber> rest;
  if (rows.groups.empty()) {
    for (std::size_t i = 0; i < rows.valid.size(); ++i)
      (i % 2 == 0 ? rest : rows.conformal).push_back(rows.valid[i]);
  } else {
    const std::vector<std::uint32_t>& groups = rows.groups;
    std::unordered_map<std::uint32_t, std::size_t> sizes;
    for (const rows::RowNumber row : rows.valid) ++sizes[groups[row]];
    std::unordered_map<std::uint32_t, bool> is_rest;  // of a group: the smaller half takes it
    std::size_t rest_size = 0, conformal_size = 0;
    for (const rows::RowNumber row : rows.valid) {
      const auto [place, is_new] = is_rest.try_emplace(groups[row], rest_size <= conformal_size);
      if (is_new) (place->second ? rest_size : conformal_size) += sizes[groups[row]];
      (place->second ? rest : rows.conformal).push_back(row);
    }
    if (2 * rows.conformal.size() < plan::kFewestConformalRows)
      bad_input(
          "conformal calibration uses half of the {} validation groups, which have {} rows: it needs at "
          "least {}; raise valid_fraction",
          sizes.size(), rows.conformal.size(), plan::kFewestConformalRows / 2);
  }
  rows.valid = std::move(rest);
}

}  // namespace

void split_rows(const FitTables& tables, const Roles& roles, const Options& options,
                train::TrainingRows& rows) {
  if (tables.valid) {
    if (!roles.valid_by.empty() || !roles.group.empty())
      bad_input("there is a validation table, so no rows are held out by '{}': leave one of the two out",
                roles.valid_by.empty() ? roles.group : roles.valid_by);
    rows.train.resize(tables.train.rows());
    rows.valid.resize(tables.valid->rows());
    std::iota(rows.train.begin(), rows.train.end(), rows::RowNumber{0});
    std::iota(rows.valid.begin(), rows.valid.end(), static_cast<rows::RowNumber>(tables.train.rows()));
  } else if (tables.whole) {
    hold_out(rows, tables.train, roles, options,
             plan::held_out_of_sample(options, tables.whole->rows(), tables.train.rows()));
  } else if (const std::size_t folds = plan::fold_count(options, roles, tables.train.rows()); folds > 0) {
    make_folds(rows, tables.train.rows(), folds, options.seed);
  } else {
    hold_out(rows, tables.train, roles, options, plan::held_out_rows(options, tables.train.rows()));
  }
  if (options.calibrate == Calibrate::kConformal) set_conformal_apart(rows);
}

std::vector<rows::RowNumber> joined(const std::vector<rows::RowNumber>& a,
                                    const std::vector<rows::RowNumber>& b) {
  std::vector<rows::RowNumber> all(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), all.begin());
  return all;
}

}  // namespace mirrorball::model
