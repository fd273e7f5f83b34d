#include "explanation_files.h"

#include <nlohmann/json.hpp>

#include "table/cells.h"
#include "table/csv_writer.h"

namespace mirrorball::cli {
namespace {

using Json = nlohmann::ordered_json;

/// Numbers as numbers, categories and dates as text, missing values as null.
Json cell_json(const Table& table, const Explanation& found, std::size_t i, std::size_t feature) {
  const std::string& cell = found.cell(i, feature);
  if (cell.empty()) return {};
  double number = 0;
  const bool is_number = table.type(table.column(found.features[feature])) == ColumnType::kNumber &&
                         table::classify(cell, number) == table::CellKind::kNumber;
  return is_number ? Json(number) : Json(cell);
}

std::vector<double> row_of(const std::vector<double>& values, std::size_t i, std::size_t features) {
  const auto first = values.begin() + static_cast<std::ptrdiff_t>(i * features);
  return {first, first + static_cast<std::ptrdiff_t>(features)};
}

}  // namespace

std::string explanation_json(const Explanation& found, const ExplainOptions& options, const Table& table) {
  Json json = {{"of", options.of.text()}};
  if (!found.target.empty()) json["target"] = found.target;
  if (!options.where.everything()) json["where"] = options.where.text();
  json["samples"] = found.samples;
  json["background"] = found.background;
  json["base_rows"] = found.base_rows;
  json["coalitions"] = found.coalitions;
  json["exact"] = found.exact;
  json["features"] = found.features;
  json["rows"] = Json::array();
  for (std::size_t i = 0; i < found.rows.size(); ++i) {
    Json data = Json::array();
    for (std::size_t f = 0; f < found.features.size(); ++f) data.push_back(cell_json(table, found, i, f));
    Json row = {{"row", found.rows[i]}, {"base", found.base[i]}, {"output", found.output[i]}};
    if (!options.where.everything()) row["probability"] = found.probability[i];
    row["values"] = row_of(found.values, i, found.features.size());
    row["errors"] = row_of(found.errors, i, found.features.size());
    row["data"] = std::move(data);
    json["rows"].push_back(std::move(row));
  }
  return json.dump() + "\n";
}

void write_explanation_csv(const Explanation& found, std::ostream& out, char separator) {
  table::CsvWriter csv(out, separator);
  csv.header(std::vector<std::string>{"row", "feature", "value", "contribution", "error", "base", "output"});
  for (std::size_t i = 0; i < found.rows.size(); ++i)
    for (std::size_t f = 0; f < found.features.size(); ++f) {
      csv.cell(std::to_string(found.rows[i]));
      csv.cell(found.features[f]);
      csv.cell(found.cell(i, f));
      csv.cell(found.value(i, f));
      csv.cell(found.error(i, f), 3);
      csv.cell(found.base[i]);
      csv.cell(found.output[i]);
      csv.end_row();
    }
}

}  // namespace mirrorball::cli
