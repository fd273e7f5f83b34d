#include "mirrorball/table.h"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "base/error.h"
#include "base/suggest.h"
#include "base/utf8.h"
#include "table/arrow.h"
#include "table/column.h"
#include "table/csv_writer.h"
#include "table/reader.h"
#include "table/source_prefix.h"

namespace mirrorball {
namespace {

/// A number with few digits that leads to the same offset from the column's origin. Times and years are
/// whole.
double fewest_digits(double value, float offset, double origin) {
  const double whole = std::nearbyint(value);
  if (static_cast<float>(whole - origin) == offset) return whole;
  char digits[32];
  for (int precision = std::numeric_limits<float>::digits10;
       precision < std::numeric_limits<double>::digits10; ++precision) {
    const char* end = fmt::format_to(digits, "{:.{}g}", value, precision);
    double rounded = value;
    fast_float::from_chars(digits, end, rounded);
    if (static_cast<float>(rounded - origin) == offset) return rounded;
  }
  return value;
}

void write_cell(CsvWriter& writer, const NumberColumn& column, std::size_t row) {
  const float offset = column.offset(row);
  if (column.origin() == 0 || std::isnan(offset)) return writer.exact(offset);
  writer.exact(fewest_digits(column[row], offset, column.origin()));
}

void write_cell(CsvWriter& writer, const CategoryColumn& column, std::size_t row) {
  const std::int32_t code = column[row];
  writer.cell(code == Table::kMissing ? std::string_view() : column.levels()[static_cast<std::size_t>(code)]);
}

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
NumberColumn number_column(const std::string& name, Strided<T> values) {
  NumberColumn column;
  in_chunks(values, [&](std::size_t begin, std::span<const double> chunk) {
    check_range(name, begin, chunk);
    column.append(chunk);
  });
  return column;
}

}  // namespace

struct Table::Data {
  Content content;
  std::map<std::string, std::size_t, std::less<>> places;

  const Column& at(std::size_t column) const {
    assert(column < content.columns.size());
    return content.columns[column];
  }

  const NumberColumn& numbers(std::size_t column) const {
    if (const auto* values = std::get_if<NumberColumn>(&at(column).values)) return *values;
    bad_input("column '{}' holds categories, not numbers", at(column).name);
  }

  const CategoryColumn& categories(std::size_t column) const {
    if (const auto* values = std::get_if<CategoryColumn>(&at(column).values)) return *values;
    bad_input("column '{}' holds numbers, not categories", at(column).name);
  }

  void check_name(const std::string& name, std::size_t place) const {
    if (name.empty()) bad_input("column {} has no name", place + 1);
    if (as_utf8(name) != name) bad_input("the name of column {} is not UTF-8", place + 1);
    if (places.contains(name)) bad_input("there is a column '{}' already", name);
  }

  /// Whether a column of that name and length can be added.
  void check(const std::string& name, std::size_t length) const {
    check_name(name, content.columns.size());
    if (!content.columns.empty() && length != content.rows)
      bad_input("column '{}' has {} rows, the table has {}", name, length, content.rows);
  }

  template <class Values>
  void add(const std::string& name, Values values) {
    values.trim();
    places.emplace(name, content.columns.size());
    content.rows = values.size();
    content.columns.push_back({name, std::move(values)});
  }
};

Table::Table() : data_(std::make_unique<Data>()) {}
Table::~Table() = default;
Table::Table(Table&&) noexcept = default;
Table& Table::operator=(Table&&) noexcept = default;

Table::Table(Content content) : Table() {
  data_->content = std::move(content);
  for (std::size_t i = 0; i < columns(); ++i) data_->places.emplace(name(i), i);
}

Table Table::read(const std::string& path, const ReadOptions& options) {
  return Table(read_content(open_bytes(path), options));
}

Table Table::read_bytes(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  return Table(read_content(bytes_in_memory(bytes, name), options));
}

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
  CategoryColumn column;
  column.append(values);
  data_->add(name, std::move(column));
}

void Table::add_categories(const std::string& name, std::span<const std::int32_t> codes,
                           const std::vector<std::string>& levels) {
  data_->check(name, codes.size());
  for (std::size_t row = 0; row < codes.size(); ++row)
    if (codes[row] >= 0 && static_cast<std::size_t>(codes[row]) >= levels.size())
      bad_input("column '{}', row {} (from 0): the code is {}, but there are {} levels", name, row,
                codes[row], levels.size());
  CategoryColumn column;
  column.append(codes, levels);
  data_->add(name, std::move(column));
}

void Table::add_categories(const std::string& name, Strided<double> values) {
  data_->check(name, values.size);
  CategoryColumn column;
  in_chunks(values, [&](std::size_t, std::span<const double> chunk) { column.append(chunk); });
  data_->add(name, std::move(column));
}

Table Table::from_arrow(ArrowArrayStream& stream, const std::vector<std::string>& categories) {
  return Table(read_arrow(stream, categories));
}

Table Table::from_arrow(ArrowSchema& schema, ArrowArray& array, const std::vector<std::string>& categories) {
  return Table(read_arrow(schema, array, categories));
}

std::size_t Table::rows() const { return data_->content.rows; }
std::size_t Table::columns() const { return data_->content.columns.size(); }
const std::string& Table::name(std::size_t column) const { return data_->at(column).name; }
const std::string& Table::source() const { return data_->content.source; }
std::size_t Table::first_row() const { return data_->content.first_row; }

ColumnType Table::type(std::size_t column) const {
  return std::holds_alternative<NumberColumn>(data_->at(column).values) ? ColumnType::kNumber
                                                                        : ColumnType::kCategory;
}

bool Table::has_name(std::size_t column) const { return !data_->at(column).unnamed; }

bool Table::holds_dates(std::size_t column) const { return data_->at(column).dates; }

void Table::set_dates(std::size_t column) {
  data_->numbers(column);  // throws where it holds categories
  data_->content.columns[column].dates = true;
}

std::vector<std::string> Table::header() const {
  return data_->content.header.empty() ? names() : data_->content.header;
}

std::vector<std::string> Table::names() const {
  std::vector<std::string> names;
  for (const Column& column : data_->content.columns) names.push_back(column.name);
  return names;
}

void Table::set_names(std::span<const std::string> names) {
  if (names.size() != columns()) bad_input("{} names were given for {} columns", names.size(), columns());
  data_->places.clear();
  for (std::size_t i = 0; i < names.size(); ++i) {
    data_->check_name(names[i], i);
    data_->places.emplace(names[i], i);
    data_->content.columns[i].name = names[i];
    data_->content.columns[i].unnamed = false;
  }
}

std::optional<std::size_t> Table::find(std::string_view name) const {
  const auto found = data_->places.find(name);
  return found == data_->places.end() ? std::nullopt : std::optional(found->second);
}

std::size_t Table::column(std::string_view name) const {
  if (const auto found = find(name)) return *found;
  const std::vector<std::string> all = header();
  bad_input("{}there is no column '{}' among {}{}", source_prefix(*this), name, listing(all),
            did_you_mean(name, all));
}

double Table::number(std::size_t row, std::size_t column) const { return data_->numbers(column)[row]; }
std::int32_t Table::code(std::size_t row, std::size_t column) const { return data_->categories(column)[row]; }

const std::vector<std::string>& Table::levels(std::size_t column) const {
  return data_->categories(column).levels();
}

void Table::copy_numbers(std::size_t column, std::size_t begin, std::size_t end, double* out) const {
  data_->numbers(column).copy(begin, end, out);
}

void Table::copy_codes(std::size_t column, std::size_t begin, std::size_t end, std::int32_t* out) const {
  data_->categories(column).copy(begin, end, out);
}

Table Table::slice(std::size_t begin, std::size_t end) const {
  if (begin > end || end > rows())
    bad_input("rows {} to {} were asked for, but the table has {}", begin, end, rows());
  Content part;
  part.rows = end - begin;
  part.first_row = first_row() + begin;
  part.source = source();
  part.header = data_->content.header;
  for (const Column& column : data_->content.columns)
    std::visit(
        [&](const auto& values) {
          part.columns.push_back({column.name, values.slice(begin, end), column.dates, column.unnamed});
        },
        column.values);
  return Table(std::move(part));
}

Table Table::vary(std::size_t row, std::size_t column, std::span<const double> values) const {
  Table table;
  for (std::size_t i = 0; i < columns(); ++i) {
    if (i == column)
      table.add_numbers(name(i), values);
    else if (type(i) == ColumnType::kNumber)
      table.add_numbers(name(i), std::vector<double>(values.size(), number(row, i)));
    else
      table.add_categories(name(i), std::vector<std::int32_t>(values.size(), code(row, i)), levels(i));
  }
  return table;
}

void Table::discard_before(std::size_t row) {
  for (Column& column : data_->content.columns)
    std::visit([&](auto& values) { values.discard_before(row); }, column.values);
}

void Table::write_csv(std::ostream& out) const {
  CsvWriter writer(out);
  writer.header(names());
  for (std::size_t row = 0; row < rows(); ++row) {
    for (const Column& column : data_->content.columns)
      std::visit([&](const auto& values) { write_cell(writer, values, row); }, column.values);
    writer.end_row();
  }
  writer.finish();
}

}  // namespace mirrorball
