#include "explain/controls.h"

#include <algorithm>
#include <map>

#include "explain/cells.h"

namespace mirrorball::shap {
namespace {

/// For each row, the mean answer of the rows with the same category.
std::vector<double> category_means(const rows::EncodedRows& background, std::ptrdiff_t column,
                                   std::span<const double> base) {
  std::map<std::int32_t, std::pair<double, double>> sums;
  const auto code = [&](std::size_t b) {
    return background.codes[b * background.code_columns + static_cast<std::size_t>(column)];
  };
  for (std::size_t b = 0; b < background.rows; ++b) {
    auto& [sum, count] = sums[code(b)];
    sum += base[b];
    count += 1;
  }
  std::vector<double> means(background.rows);
  for (std::size_t b = 0; b < background.rows; ++b) means[b] = sums[code(b)].first / sums[code(b)].second;
  return means;
}

}  // namespace

Controls::Controls(const encode::EncodedPlace& place, const rows::EncodedRows& rows, std::size_t x,
                   const rows::EncodedRows& background, std::span<const double> base) {
  std::vector<double> own(background.rows), square(background.rows), same(background.rows);
  for (std::size_t b = 0; b < background.rows; ++b) {
    const Cell cell = cell_of(background, b, place);
    own[b] = std::get<0>(cell);
    square[b] = own[b] * own[b];
    same[b] = cell == cell_of(rows, x, place);
  }
  const bool number = place.number >= 0;
  add(number ? std::move(own) : category_means(background, place.code, base));
  add({base.begin(), base.end()});
  add(std::move(same));
  if (number) add(std::move(square));
}

void Controls::add(std::vector<double> column) {
  if (std::adjacent_find(column.begin(), column.end(), std::not_equal_to<>()) != column.end())
    columns_.push_back(std::move(column));
}

}  // namespace mirrorball::shap
