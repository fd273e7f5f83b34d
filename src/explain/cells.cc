#include "explain/cells.h"

#include <algorithm>
#include <map>

namespace mirrorball::shap {

rows::EncodedRows some_rows(const rows::EncodedRows& all, std::size_t first, std::size_t count) {
  rows::EncodedRows some(count, all.number_columns, all.code_columns);
  std::copy_n(all.numbers.data() + first * all.number_columns, some.numbers.size(), some.numbers.data());
  std::copy_n(all.codes.data() + first * all.code_columns, some.codes.size(), some.codes.data());
  return some;
}

std::vector<std::u16string> cell_numbers(const std::vector<encode::Feature>& features,
                                         const rows::EncodedRows& rows) {
  std::vector<std::u16string> numbers;
  for (const encode::Feature& feature : features) {
    std::map<Cell, char16_t> met;
    std::u16string& column = numbers.emplace_back(rows.rows, 0);
    for (std::size_t row = 0; row < rows.rows; ++row)
      column[row] =
          met.try_emplace(cell_of(rows, row, feature.place), static_cast<char16_t>(row + 1)).first->second;
  }
  return numbers;
}

}  // namespace mirrorball::shap
