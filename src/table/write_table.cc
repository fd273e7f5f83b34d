#include "table/csv_writer.h"
#include "table/table_data.h"

namespace mirrorball {
namespace {

void write_cell(table::CsvWriter& writer, const table::NumberColumn& column, std::size_t row) {
  writer.exact(column[row]);
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
