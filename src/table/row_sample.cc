#include "table/row_sample.h"

#include <utility>

#include "base/reservoir.h"
#include "table/builder.h"

namespace mirrorball::table {
namespace {

/// Keeps the values at these places, which ascend.
template <class Value>
void keep(std::vector<Value>& values, const std::vector<std::size_t>& places) {
  if (values.empty()) return;
  for (std::size_t i = 0; i < places.size(); ++i) values[i] = values[places[i]];
  values.resize(places.size());
}

}  // namespace

bool RowSample::takes(std::uint64_t row) const {
  return bound_ == ~std::uint64_t{0} || row_key(seed_, Purpose::kSample, 0, row) <= bound_;
}

void RowSample::begin(const Table& block) {
  source_ = block.source();
  header_ = block.header();
  for (std::size_t column = 0; column < block.columns(); ++column) {
    SampledColumn& made = columns_.emplace_back();
    made.name = block.name(column);
    made.type = block.type(column);
    made.unnamed = !block.has_name(column);
  }
}

void RowSample::add(const Table& block, ThreadPool& pool) {
  if (columns_.empty()) begin(block);
  std::vector<std::size_t> chosen;
  for (std::size_t row = 0; row < block.rows(); ++row)
    if (takes(seen_ + row)) chosen.push_back(row);
  for (const std::size_t row : chosen) rows_.push_back(seen_ + row);
  seen_ += block.rows();
  pool.run(columns_.size(), [&](std::size_t place, unsigned) {
    SampledColumn& to = columns_[place];
    if (to.type == ColumnType::kNumber) {
      if (block.holds_dates(place)) to.date_rows += block.rows();
      std::vector<double> values(block.rows());
      block.copy_numbers(place, 0, values.size(), values.data());
      for (const std::size_t row : chosen) to.numbers.push_back(values[row]);
      return;
    }
    std::vector<std::int32_t> values(block.rows());
    block.copy_codes(place, 0, values.size(), values.data());
    const std::vector<std::string>& texts = block.categories(place);
    for (const std::size_t row : chosen) {
      if (values[row] == Table::kMissing) {
        to.codes.push_back(Table::kMissing);
        continue;
      }
      const std::string& text = texts[static_cast<std::size_t>(values[row])];
      const auto [found, is_new] =
          to.code_of.try_emplace(text, static_cast<std::int32_t>(to.categories.size()));
      if (is_new) to.categories.push_back(text);
      to.codes.push_back(found->second);
    }
  });
  while (rows_.size() > most_) halve();
}

void RowSample::halve() {
  bound_ /= 2;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (takes(rows_[i])) kept.push_back(i);
  keep(rows_, kept);
  for (SampledColumn& column : columns_) {
    keep(column.numbers, kept);
    keep(column.codes, kept);
    forget_unused(column);
  }
}

/// Of a column of keys, each row dropped had a text of its own.
void RowSample::forget_unused(SampledColumn& column) {
  std::vector<std::int32_t> now(column.categories.size(), Table::kMissing);
  std::vector<std::string> used;
  for (std::int32_t& code : column.codes) {
    if (code == Table::kMissing) continue;
    std::int32_t& to = now[static_cast<std::size_t>(code)];
    if (to == Table::kMissing) {
      to = static_cast<std::int32_t>(used.size());
      used.push_back(std::move(column.categories[static_cast<std::size_t>(code)]));
    }
    code = to;
  }
  column.categories = std::move(used);
  column.code_of.clear();
  for (std::size_t i = 0; i < column.categories.size(); ++i)
    column.code_of.emplace(column.categories[i], static_cast<std::int32_t>(i));
}

Table RowSample::take() {
  Content content;
  content.rows = rows_.size();
  content.source = std::move(source_);
  content.header = std::move(header_);
  for (SampledColumn& column : columns_) {
    Column made;
    made.name = std::move(column.name);
    made.unnamed = column.unnamed;
    made.dates = 2 * column.date_rows > seen_;
    if (column.type == ColumnType::kNumber) {
      NumberColumn values;
      values.append(column.numbers);
      values.trim();
      made.values = std::move(values);
    } else {
      CategoryColumn values;
      values.append(column.codes, column.categories);
      values.trim();
      made.values = std::move(values);
    }
    content.columns.push_back(std::move(made));
    column = {};  // before the next one is copied
  }
  columns_.clear();
  return Table(std::move(content));
}

}  // namespace mirrorball::table
