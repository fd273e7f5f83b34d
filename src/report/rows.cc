#include "report/rows.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "base/random.h"

namespace mirrorball {

std::vector<std::size_t> sampled_rows(std::size_t rows, std::size_t most, std::uint64_t seed,
                                      std::uint32_t part) {
  std::vector<std::size_t> all(rows);
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (rows <= most) return all;
  constexpr std::uint32_t kTaken = 2;  // `explain` has two of these streams
  Stream random(seed, Purpose::kExplain, kTaken + part);
  for (std::size_t i = 0; i < most; ++i)
    std::swap(all[i], all[i + random.below(static_cast<std::uint32_t>(rows - i))]);
  all.resize(most);
  std::sort(all.begin(), all.end());
  return all;
}

Table select_rows(const Model& model, const Table& table, std::span<const std::size_t> rows) {
  std::vector<std::string> names = model.features();
  for (const std::string& target : model.targets())
    if (table.find(target)) names.push_back(target);
  Table chosen;
  for (const std::string& name : names) {
    const std::size_t column = table.column(name);
    if (table.type(column) == ColumnType::kNumber) {
      std::vector<double> values;
      for (std::size_t row : rows) values.push_back(table.number(row, column));
      chosen.add_numbers(name, values);
    } else {
      std::vector<std::string> values;
      for (std::size_t row : rows) {
        const std::int32_t code = table.code(row, column);
        values.push_back(code == Table::kMissing ? "" : table.levels(column)[static_cast<std::size_t>(code)]);
      }
      chosen.add_categories(name, values);
    }
  }
  return chosen;
}

}  // namespace mirrorball
