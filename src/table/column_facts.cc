#include "table/column_facts.h"

#include <algorithm>
#include <cmath>

namespace mirrorball::table {
namespace {

template <class Value, class Missing>
void count_missing(const std::vector<Value>& values, std::size_t first_row, Missing missing,
                   LargeTable::ColumnFacts& facts) {
  const auto count = static_cast<std::size_t>(std::count_if(values.begin(), values.end(), missing));
  if (count == 0) return;
  if (facts.missing == 0)
    facts.first_missing =
        first_row +
        static_cast<std::size_t>(std::find_if(values.begin(), values.end(), missing) - values.begin());
  facts.missing += count;
}

}  // namespace

void ColumnScan::add_column(const Table& block, std::size_t column, std::size_t first_row, State& state) {
  if (block.type(column) == ColumnType::kNumber) {
    std::vector<double> values(block.rows());
    block.copy_numbers(column, 0, values.size(), values.data());
    count_missing(
        values, first_row, [](double value) { return std::isnan(value); }, state.facts);
    state.print.add(std::span<const double>(values));
    return;
  }
  std::vector<std::int32_t> codes(block.rows());
  block.copy_codes(column, 0, codes.size(), codes.data());
  count_missing(
      codes, first_row, [](std::int32_t code) { return code == Table::kMissing; }, state.facts);
  state.print.add(std::span<const std::int32_t>(codes));
  for (const std::string& text : block.categories(column)) state.print.add(std::string_view(text));
}

void ColumnScan::add(const Table& block, ThreadPool& pool) {
  states_.resize(block.columns());
  pool.run(states_.size(),
           [&](std::size_t column, unsigned) { add_column(block, column, rows_, states_[column]); });
  rows_ += block.rows();
}

std::vector<LargeTable::ColumnFacts> ColumnScan::facts() const {
  std::vector<LargeTable::ColumnFacts> all;
  for (const State& state : states_) {
    all.push_back(state.facts);
    all.back().print = state.print.value();
  }
  return all;
}

}  // namespace mirrorball::table
