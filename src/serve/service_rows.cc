// Rows of the background table, as they are.

#include <fmt/format.h>

#include <charconv>

#include "serve/json_writer.h"
#include "serve/service.h"

namespace mirrorball::serve {
namespace {

void write_cell(JsonWriter& json, const Table& table, std::size_t row, const ColumnSchema& column) {
  const std::size_t at = table.column(column.name);
  json.key(column.name);
  if (column.is_number()) {
    json.number(table.number(row, at), column.digits);  // null where it is missing
  } else {
    const std::int32_t code = table.code(row, at);
    code == Table::kMissing ? json.null() : json.text(table.categories(at)[static_cast<std::size_t>(code)]);
  }
}

}  // namespace

std::string Service::row(const std::string& number) const {
  if (!nearby_)
    throw ApiError(404, "", "the server was started without a background table",
                   "start it with --background FILE, a table with the features");
  std::size_t row = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), row);
  if (error != std::errc() || end != number.data() + number.size() || row >= background_.rows())
    throw ApiError(400, "number", fmt::format("number is {}", in_words(number)),
                   fmt::format("give a row of the background table, from 0 to {}", background_.rows() - 1));
  JsonWriter json;
  json.begin_object().key("number").count(row).key("row").begin_object();
  for (const ColumnSchema& feature : model_.schema().features) write_cell(json, background_, row, feature);
  json.end_object().key("outcome").begin_object();
  for (const ColumnSchema& target : model_.schema().targets)
    if (background_.find(target.name)) write_cell(json, background_, row, target);
  return json.end_object().end_object().take();
}

}  // namespace mirrorball::serve
