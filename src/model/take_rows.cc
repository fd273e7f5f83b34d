#include "model/take_rows.h"

#include <type_traits>
#include <vector>

namespace mirrorball::model {

Table take_rows(const Table& table, std::span<const std::size_t> rows) {
  Table taken;
  std::vector<double> numbers(table.rows());
  std::vector<std::int32_t> codes(table.rows());
  const auto some = [&](const auto& all) {
    std::remove_cvref_t<decltype(all)> values;
    values.reserve(rows.size());
    for (const std::size_t row : rows) values.push_back(all[row]);
    return values;
  };
  for (std::size_t column = 0; column < table.columns(); ++column) {
    if (!table.has_name(column)) continue;
    if (table.type(column) == ColumnType::kNumber) {
      table.copy_numbers(column, 0, numbers.size(), numbers.data());
      taken.add_numbers(table.name(column), some(numbers));
      if (table.holds_dates(column)) taken.set_dates(taken.columns() - 1);
    } else {
      table.copy_codes(column, 0, codes.size(), codes.data());
      taken.add_categories(table.name(column), some(codes), table.categories(column));
    }
  }
  return taken;
}

}  // namespace mirrorball::model
