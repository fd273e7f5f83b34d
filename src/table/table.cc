#include "mirrorball/table.h"

#include <utility>

#include "base/error.h"
#include "base/suggest.h"
#include "table/arrow.h"
#include "table/file_list.h"
#include "table/format.h"
#include "table/reader.h"
#include "table/source_prefix.h"
#include "table/table_data.h"

namespace mirrorball {

Table::Table() : data_(std::make_unique<Data>()) {}
Table::~Table() = default;
Table::Table(Table&&) noexcept = default;
Table& Table::operator=(Table&&) noexcept = default;

Table::Table(table::Content content) : Table() {
  data_->content = std::move(content);
  for (std::size_t i = 0; i < columns(); ++i) data_->places.emplace(name(i), i);
}

Table Table::read(const std::string& path, const ReadOptions& options) {
  return read_files({&path, 1}, options);
}

Table Table::read_files(std::span<const std::string> paths, const ReadOptions& options) {
  std::vector<std::string> files = table::files_of(paths);
  if (files.size() == 1) return table::format_of_file(files[0]).read(table::open_bytes(files[0]), options);
  return Table(table::read_content(table::Parts(std::move(files)), options));
}

Table Table::read_bytes(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  return table::format_of(name).read(table::bytes_in_memory(bytes, name), options);
}

Table Table::from_arrow(ArrowArrayStream& stream, const std::vector<std::string>& categories) {
  return Table(table::read_arrow(stream, categories));
}

Table Table::from_arrow(ArrowSchema& schema, ArrowArray& array, const std::vector<std::string>& categories) {
  return Table(table::read_arrow(schema, array, categories));
}

std::size_t Table::rows() const { return data_->content.rows; }
std::size_t Table::columns() const { return data_->content.columns.size(); }
const std::string& Table::name(std::size_t column) const { return data_->at(column).name; }
const std::string& Table::source() const { return data_->content.source; }
std::size_t Table::first_row() const { return data_->content.first_row; }

ColumnType Table::type(std::size_t column) const {
  return std::holds_alternative<table::NumberColumn>(data_->at(column).values) ? ColumnType::kNumber
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
  for (const table::Column& column : data_->content.columns) names.push_back(column.name);
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
  bad_input("{}unknown column '{}'; the columns are {}{}", table::source_prefix(*this), name, listing(all),
            did_you_mean(name, all));
}

double Table::number(std::size_t row, std::size_t column) const { return data_->numbers(column)[row]; }
std::int32_t Table::code(std::size_t row, std::size_t column) const { return data_->categories(column)[row]; }

const std::vector<std::string>& Table::categories(std::size_t column) const {
  return data_->categories(column).categories();
}

void Table::copy_numbers(std::size_t column, std::size_t begin, std::size_t end, double* out) const {
  data_->numbers(column).copy(begin, end, out);
}

void Table::copy_codes(std::size_t column, std::size_t begin, std::size_t end, std::int32_t* out) const {
  data_->categories(column).copy(begin, end, out);
}

std::string_view Table::kept(std::size_t row, std::size_t place) const {
  return data_->content.kept.at(place)[row];
}

Table Table::slice(std::size_t begin, std::size_t end) const {
  if (begin > end || end > rows())
    bad_input("rows {} to {} do not exist: the table has {} rows", begin, end, rows());
  table::Content part;
  part.rows = end - begin;
  part.first_row = first_row() + begin;
  part.source = source();
  part.header = data_->content.header;
  for (const table::KeptTexts& texts : data_->content.kept) part.kept.push_back(texts.slice(begin, end));
  for (const table::Column& column : data_->content.columns)
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
      table.add_categories(name(i), std::vector<std::int32_t>(values.size(), code(row, i)), categories(i));
  }
  return table;
}

void Table::discard_before(std::size_t row) {
  for (table::Column& column : data_->content.columns)
    std::visit([&](auto& values) { values.discard_before(row); }, column.values);
}

}  // namespace mirrorball
