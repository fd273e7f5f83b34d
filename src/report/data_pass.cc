#include "report/data_pass.h"

#include <algorithm>

namespace mirrorball::report {
namespace {

/// Numbers kept for medians and largest distances from the training quantiles, of all features together: up
/// to 64 MB with their keys.
constexpr std::size_t kKeptNumbers = 2'000'000, kLeastKeptRows = 1000, kMostKeptRows = 250'000;

}  // namespace

DataPass::DataPass(const Model& model, const Model* other, const ReportOptions& options)
    : model_(model),
      other_(other),
      seed_(options.seed),
      chosen_(model, other, options.rows, !options.id.empty()) {
  const std::vector<ColumnSchema>& features = model.schema().features;
  const std::size_t most =
      std::clamp(kKeptNumbers / std::max<std::size_t>(1, features.size()), kLeastKeptRows, kMostKeptRows);
  for (const ColumnSchema& feature : features) drift_.emplace_back(feature, model.training_rows(), most);
}

void DataPass::add(const Table& block) {
  model_.check(block);
  if (other_) other_->check(block);
  std::vector<std::uint64_t> keys(block.rows());
  for (std::size_t row = 0; row < keys.size(); ++row)
    keys[row] = row_key(seed_, Purpose::kExplain, static_cast<std::uint32_t>(Pick::kRows), rows() + row);
  std::vector<std::uint8_t> outside(block.rows(), 0);
  for (DriftCounter& one : drift_) one.add(block, keys, outside);
  rows_outside_ += static_cast<std::size_t>(std::count(outside.begin(), outside.end(), 1));
  chosen_.add(block, keys);
}

DataFindings DataPass::finish() {
  DataFindings found;
  for (DriftCounter& one : drift_) found.drift.push_back(one.finish());
  found.rows_outside = rows_outside_;
  found.rows = rows();
  found.without_outcome = chosen_.without_outcome();
  found.missing_targets = chosen_.missing_targets();
  found.table = chosen_.take(found.row_numbers, found.row_names);
  return found;
}

}  // namespace mirrorball::report
