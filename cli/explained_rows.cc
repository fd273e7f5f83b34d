#include "explained_rows.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"

namespace mirrorball::cli {

std::vector<RowRange> row_ranges(const std::string& text) {
  const auto number = [&text](std::string_view part) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (part.empty() || error != std::errc() || end != part.data() + part.size())
      bad_input("--row {}: '{}' is not a row number; rows are numbered from 0, for example 3,7 or 10:20",
                text, part);
    return value;
  };
  std::vector<RowRange> ranges;
  for (std::size_t at = 0, end; at <= text.size(); at = end + 1) {
    end = std::min(text.find(',', at), text.size());
    const std::string_view part = std::string_view(text).substr(at, end - at);
    const std::size_t colon = part.find(':'), first = number(part.substr(0, colon));
    const std::size_t last = colon == part.npos ? first + 1 : number(part.substr(colon + 1));
    if (first >= last)
      bad_input("--row {}: {} selects no rows; {}:{} would select one", text, part, first, first + 1);
    ranges.push_back({first, last});
  }
  return ranges;
}

std::vector<std::size_t> rows_of(const std::vector<RowRange>& ranges, const Table& table) {
  std::vector<std::size_t> rows;
  for (const auto& [begin, end] : ranges) {
    if (end > table.rows())
      bad_input("--row {} does not exist: {} has {} row{}, numbered from 0",
                end == begin + 1 ? std::to_string(begin) : fmt::format("{}:{}", begin, end), table.source(),
                table.rows(), table.rows() == 1 ? "" : "s");
    for (std::size_t row = begin; row < end; ++row) rows.push_back(row);
  }
  return rows;
}

IdWanted id_from(const std::string& text) {
  const std::size_t sign = text.find('=');
  if (sign == 0) bad_input("--id {}: give a column, or a column and a value, as --id key=17", text);
  if (sign == text.npos) return {text, std::nullopt};
  return {text.substr(0, sign), text.substr(sign + 1)};
}

std::vector<std::size_t> rows_with(const IdWanted& id, const Table& table) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (table.kept(row, 0) == *id.value) rows.push_back(row);
  if (rows.empty())
    bad_input("{}: none of the {} rows has '{}' in the column '{}'", table.source(), table.rows(), *id.value,
              id.column);
  return rows;
}

std::vector<std::string> names_by(const IdWanted& id, const Table& table,
                                  const std::vector<std::size_t>& rows) {
  std::vector<std::string> names;
  for (const std::size_t row : rows) names.push_back(fmt::format("{}={}", id.column, table.kept(row, 0)));
  return names;
}

}  // namespace mirrorball::cli
