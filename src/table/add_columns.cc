#include <algorithm>
#include <array>

#include "table/table_data.h"
#include "table/text_column.h"

namespace mirrorball {
namespace {

/// Calls use(first row, values) for one stretch after the other.
template <class T, class Use>
void in_chunks(Strided<T> values, Use use) {
  std::array<double, 512> chunk;
  for (std::size_t begin = 0; begin < values.size; begin += chunk.size()) {
    const std::size_t n = std::min(chunk.size(), values.size - begin);
    for (std::size_t i = 0; i < n; ++i)
      chunk[i] = static_cast<double>(values.first[static_cast<std::ptrdiff_t>(begin + i) * values.step]);
    use(begin, std::span<const double>(chunk).first(n));
  }
}

template <class T>
table::NumberColumn number_column(const std::string& name, Strided<T> values) {
  table::NumberColumn column;
  in_chunks(values, [&](std::size_t begin, std::span<const double> chunk) {
    table::check_range(name, begin, chunk);
    column.append(chunk);
  });
  return column;
}

}  // namespace

void Table::add_numbers(const std::string& name, std::span<const double> values) {
  add_numbers(name, Strided<double>{values.data(), values.size()});
}

void Table::add_numbers(const std::string& name, Strided<double> values) {
  data_->check(name, values.size);
  data_->add(name, number_column(name, values));
}

void Table::add_numbers(const std::string& name, Strided<float> values) {
  data_->check(name, values.size);
  data_->add(name, number_column(name, values));
}

void Table::add_categories(const std::string& name, std::span<const std::string> values) {
  data_->check(name, values.size());
  table::CategoryColumn column;
  column.append(values);
  data_->add(name, std::move(column));
}

void Table::add_texts(const std::string& name, std::span<const std::string> values) {
  data_->check(name, values.size());
  table::CategoryColumn texts;
  texts.append(values);
  table::Column column = table::text_column(name, std::move(texts));
  std::visit([&](auto& kept) { data_->add(name, std::move(kept)); }, column.values);
  if (column.dates) set_dates(columns() - 1);
}

void Table::add_categories(const std::string& name, std::span<const std::int32_t> codes,
                           const std::vector<std::string>& categories) {
  data_->check(name, codes.size());
  for (std::size_t row = 0; row < codes.size(); ++row)
    if (codes[row] >= 0 && static_cast<std::size_t>(codes[row]) >= categories.size())
      bad_input("column '{}', row {} (from 0): the code is {}, but there are {} categories", name, row,
                codes[row], categories.size());
  table::CategoryColumn column;
  column.append(codes, categories);
  data_->add(name, std::move(column));
}

void Table::add_categories(const std::string& name, Strided<double> values) {
  data_->check(name, values.size);
  table::CategoryColumn column;
  in_chunks(values, [&](std::size_t, std::span<const double> chunk) { column.append(chunk); });
  data_->add(name, std::move(column));
}

}  // namespace mirrorball
