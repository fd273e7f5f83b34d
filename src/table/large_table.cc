#include "mirrorball/large_table.h"

#include <algorithm>
#include <utility>

#include "base/thread_pool.h"
#include "plan/rules.h"
#include "table/column_facts.h"
#include "table/row_sample.h"

namespace mirrorball {
bool is_larger_than(std::uint64_t memory, std::size_t rows, std::size_t columns) {
  return plan::bytes_in_memory(rows, columns) > static_cast<double>(memory);
}

bool is_larger_than(std::uint64_t memory, const OpenTable& open) {
  const std::unique_ptr<TableSource> source = open();
  const std::optional<Table> first = source->next();
  const std::optional<double> share = source->share();
  if (!first || !share || *share <= 0) return false;
  return is_larger_than(memory, static_cast<std::size_t>(static_cast<double>(first->rows()) / *share),
                        first->columns());
}

struct LargeTable::Data {
  OpenTable open;
  Table sample;
  std::vector<std::uint64_t> sample_rows;
  std::size_t rows = 0;
  std::vector<ColumnFacts> columns;
};

LargeTable::LargeTable(OpenTable open, const LargeTableOptions& options) : data_(std::make_unique<Data>()) {
  data_->open = std::move(open);
  ThreadPool pool(options.threads);
  table::RowSample sample(options.seed);
  table::ColumnScan scan;
  const std::unique_ptr<TableSource> source = data_->open();
  while (const std::optional<Table> block = source->next()) {
    if (scan.rows() == 0) sample.set_most(plan::sample_limit(options.memory, block->columns()));
    sample.add(*block, pool);
    scan.add(*block, pool);
    if (options.progress) options.progress(scan.rows(), source->share());
  }
  data_->rows = scan.rows();
  data_->columns = scan.facts();
  data_->sample_rows = sample.rows();
  data_->sample = sample.take();
}

LargeTable::~LargeTable() = default;
LargeTable::LargeTable(LargeTable&&) noexcept = default;
LargeTable& LargeTable::operator=(LargeTable&&) noexcept = default;

std::size_t LargeTable::rows() const { return data_->rows; }
const Table& LargeTable::sample() const { return data_->sample; }
Table LargeTable::take_sample() { return std::exchange(data_->sample, Table()); }
const std::vector<std::uint64_t>& LargeTable::sample_rows() const { return data_->sample_rows; }
const std::vector<LargeTable::ColumnFacts>& LargeTable::columns() const { return data_->columns; }
std::unique_ptr<TableSource> LargeTable::open() const { return data_->open(); }

}  // namespace mirrorball
