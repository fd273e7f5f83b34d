#include "model/split_rows.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/random.h"
#include "plan/rules.h"
#include "table/source_prefix.h"

namespace mirrorball::model {
namespace {

/// Which rows train and which validate: a random share is held out.
void hold_out(train::TrainingRows& rows, const Table& table, const Options& options) {
  const std::size_t count = table.rows();
  std::vector<rows::RowNumber> order(count);
  std::iota(order.begin(), order.end(), rows::RowNumber{0});
  const std::size_t held = plan::held_out_rows(options, count);
  if (count < 2 || held >= count)
    bad_input(
        "{}{} row{} cannot be split into training rows and {} to hold out: give more rows or a smaller "
        "valid_fraction (it is {:g})",
        table::source_prefix(table), count, count == 1 ? "" : "s", held, options.valid_fraction);
  Stream random(options.seed, Purpose::kSplit);
  for (std::size_t i = 0; i < held; ++i)
    std::swap(order[i], order[i + random.below(static_cast<std::uint32_t>(count - i))]);
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(held);
  rows.valid.assign(order.begin(), middle);
  rows.train.assign(middle, order.end());
  std::sort(rows.valid.begin(), rows.valid.end());
  std::sort(rows.train.begin(), rows.train.end());
}

/// Takes every second validation row for the guarantee of conformal intervals.
void set_conformal_apart(train::TrainingRows& rows) {
  constexpr std::size_t kFewest = 20;  // half of them just make a finite interval possible
  if (rows.valid.size() < kFewest)
    bad_input(
        "conformal calibration takes half of the validation rows, and there are {}: it needs {} or more",
        rows.valid.size(), kFewest);
  std::vector<rows::RowNumber> rest;
  for (std::size_t i = 0; i < rows.valid.size(); ++i)
    (i % 2 == 0 ? rest : rows.conformal).push_back(rows.valid[i]);
  rows.valid = std::move(rest);
}

}  // namespace

void split_rows(const FitTables& tables, const Options& options, train::TrainingRows& rows) {
  if (tables.valid) {
    rows.train.resize(tables.train.rows());
    rows.valid.resize(tables.valid->rows());
    std::iota(rows.train.begin(), rows.train.end(), rows::RowNumber{0});
    std::iota(rows.valid.begin(), rows.valid.end(), static_cast<rows::RowNumber>(tables.train.rows()));
  } else {
    hold_out(rows, tables.train, options);
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
