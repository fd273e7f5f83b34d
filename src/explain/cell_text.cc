#include "explain/cell_text.h"

#include <fmt/format.h>

#include <cmath>

#include "table/instant.h"

namespace mirrorball::shap {
namespace {

std::string number_text(const ColumnSchema& feature, double value) {
  if (std::isnan(value)) return {};
  if (feature.dates) return table::instant_text(value, feature.span());
  const auto single = static_cast<float>(value);  // nearly every cell is one, and has few digits
  return static_cast<double>(single) == value ? fmt::format("{}", single) : fmt::format("{:.10g}", value);
}

}  // namespace

std::vector<std::string> cell_texts(const Schema& schema, const Table& table, std::size_t row) {
  std::vector<std::string> texts;
  for (const ColumnSchema& feature : schema.features) {
    const std::size_t column = table.column(feature.name);
    if (table.type(column) == ColumnType::kNumber) {
      texts.push_back(number_text(feature, table.number(row, column)));
    } else {
      const std::int32_t code = table.code(row, column);
      texts.push_back(code == Table::kMissing ? ""
                                              : table.categories(column)[static_cast<std::size_t>(code)]);
    }
  }
  return texts;
}

}  // namespace mirrorball::shap
