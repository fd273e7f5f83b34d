#include "model/fill_cache.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "base/error.h"
#include "base/grouped.h"
#include "table/column_facts.h"
#include "table/source_prefix.h"

namespace mirrorball::model {
namespace {

std::string folder_of_cache(const std::string& given) {
  if (!given.empty()) return given;
  const char* folder = std::getenv("TMPDIR");
  return folder && *folder ? folder : "/var/tmp";
}

/// The numbers in the whole table of the sample's rows that no network trains on, ascending.
std::vector<std::uint64_t> held_out_numbers(const LargeTable& whole, const train::TrainingRows& sample) {
  std::vector<std::uint64_t> held;
  for (const auto* which : {&sample.valid, &sample.conformal})
    for (const rows::RowNumber row : *which)
      if (row < whole.sample_rows().size())
        held.push_back(whole.sample_rows()[row]);  // else of a table of its own
  std::sort(held.begin(), held.end());
  return held;
}

void write_targets(const Table& block, const CacheTask& task, rows::MemoryRows& out) {
  const std::size_t targets = task.roles.targets.size();
  std::vector<double> values(block.rows());
  for (std::size_t t = 0; t < targets; ++t) {
    block.copy_numbers(block.column(task.roles.targets[t]), 0, values.size(), values.data());
    const encode::NumberTransform& transform = task.transforms[t];
    for (std::size_t row = 0; row < values.size(); ++row)
      out.targets[row * targets + t] = static_cast<float>(transform.forward(transform.rounded(values[row])));
  }
}

void write_weights(const Table& block, const CacheTask& task, std::size_t first_row, rows::MemoryRows& out) {
  if (task.roles.weight.empty()) return;
  std::vector<double> values(block.rows());
  block.copy_numbers(block.column(task.roles.weight), 0, values.size(), values.data());
  check_weights(block, task.roles.weight, values, first_row);
  for (std::size_t row = 0; row < values.size(); ++row)
    out.weights[row] = static_cast<float>(values[row] * task.weight_scale);
}

/// A block of the table as rows of the cache.
rows::MemoryRows encoded(const Table& block, const CacheTask& task, std::size_t first_row, ThreadPool& pool) {
  rows::MemoryRows out;
  out.inputs = rows::EncodedRows(block.rows(), task.encoder.number_columns(), task.encoder.code_columns());
  out.targets = Buffer<float>(block.rows() * task.roles.targets.size());
  out.weights = Buffer<float>(block.rows());
  task.encoder.bind(block).encode(0, block.rows(), out.inputs, 0, pool);
  write_targets(block, task, out);
  write_weights(block, task, first_row, out);
  return out;
}

/// The rows of a block that are not held out.
std::vector<std::size_t> trained_on(const std::vector<std::uint64_t>& held, std::size_t first_row,
                                    std::size_t rows) {
  std::vector<std::size_t> which;
  auto next = std::lower_bound(held.begin(), held.end(), first_row);
  for (std::size_t row = 0; row < rows; ++row) {
    if (next != held.end() && *next == first_row + row)
      ++next;
    else
      which.push_back(row);
  }
  return which;
}

bool same(const std::vector<LargeTable::ColumnFacts>& a, const std::vector<LargeTable::ColumnFacts>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& one, const auto& other) { return one.print == other.print; });
}

}  // namespace

rows::CacheLayout CacheTask::layout() const {
  rows::CacheLayout made;
  made.numbers = encoder.number_columns();
  made.codes = encoder.code_columns();
  made.targets = roles.targets.size();
  made.weights = !roles.weight.empty();
  made.wide_codes = rows::CacheLayout::needs_wide(encoder.learned_rows());
  return made;
}

std::shared_ptr<const rows::RowCache> fill_cache(const LargeTable& whole, const train::TrainingRows& sample,
                                                 const CacheTask& task, ThreadPool& pool,
                                                 const CacheProgress& progress) {
  const std::vector<std::uint64_t> held = held_out_numbers(whole, sample);
  rows::RowCacheWriter writer(folder_of_cache(task.folder), task.layout(), whole.rows() - held.size());
  table::ColumnScan scan;
  const std::unique_ptr<TableSource> source = whole.open();
  while (const std::optional<Table> block = source->next()) {
    const std::size_t first_row = scan.rows();
    scan.add(*block, pool);
    writer.add(encoded(*block, task, first_row, pool), trained_on(held, first_row, block->rows()));
    if (progress && !progress(static_cast<double>(scan.rows()) / static_cast<double>(whole.rows())))
      system_failure("stopped before training began: there is no model");
  }
  if (scan.rows() != whole.rows())
    bad_input(
        "{}: the table changed while it was read, from {} rows to {}: fit again when nothing writes to it",
        source->name(), grouped(whole.rows()), grouped(scan.rows()));
  if (!same(scan.facts(), whole.columns()))
    bad_input("{}: values of the table changed while it was read: fit again when nothing writes to it",
              source->name());
  return writer.finish();
}

void check_whole(const LargeTable& whole, const Table& sample, const Roles& roles) {
  const auto check = [&](const std::string& name, const char* role) {
    if (name.empty() || !sample.find(name)) return;
    const LargeTable::ColumnFacts& facts = whole.columns()[sample.column(name)];
    if (facts.missing > 0)
      refuse_missing(sample, name, role, facts.missing, whole.rows(), facts.first_missing);
  };
  for (const std::string& target : roles.targets) check(target, "target");
  check(roles.weight, "weight");
}

}  // namespace mirrorball::model
