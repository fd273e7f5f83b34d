#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "table/csv_writer.h"
#include "table/table_data.h"

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

void write_cell(table::CsvWriter& writer, const table::NumberColumn& column, std::size_t row) {
  const float offset = column.offset(row);
  if (column.origin() == 0 || std::isnan(offset)) return writer.exact(offset);
  writer.exact(fewest_digits(column[row], offset, column.origin()));
}

void write_cell(table::CsvWriter& writer, const table::CategoryColumn& column, std::size_t row) {
  const std::int32_t code = column[row];
  writer.cell(code == Table::kMissing ? std::string_view()
                                      : column.categories()[static_cast<std::size_t>(code)]);
}

}  // namespace

void Table::write_csv(std::ostream& out) const {
  table::CsvWriter writer(out);
  writer.header(names());
  for (std::size_t row = 0; row < rows(); ++row) {
    for (const table::Column& column : data_->content.columns)
      std::visit([&](const auto& values) { write_cell(writer, values, row); }, column.values);
    writer.end_row();
  }
  writer.finish();
}

}  // namespace mirrorball
