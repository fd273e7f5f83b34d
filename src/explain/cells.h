#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "encode/encoder.h"

namespace mirrorball::shap {

/// What the model sees of a feature: a number, by its rank and its value, a learned row, and of a date its
/// places in the calendar.
using Cell = std::tuple<float, float, std::int32_t, std::array<float, encode::DateCycles::kMostColumns>>;

inline Cell cell_of(const rows::EncodedRows& rows, std::size_t row, const encode::EncodedPlace& place) {
  const float* numbers = rows.numbers.data() + row * rows.number_columns;
  const std::int32_t* codes = rows.codes.data() + row * rows.code_columns;
  Cell cell{place.number < 0 ? 0 : numbers[place.number],
            place.plain < 0 ? 0 : numbers[place.plain],
            place.code < 0 ? 0 : codes[place.code],
            {}};
  for (std::size_t i = 0; i < place.cycle_columns; ++i)
    std::get<3>(cell)[i] = numbers[place.cycles + static_cast<std::ptrdiff_t>(i)];
  return cell;
}

/// Rows [first, first + count).
rows::EncodedRows some_rows(const rows::EncodedRows& all, std::size_t first, std::size_t count);

/// For every feature and row, 1 + the first row that has the same cell. Up to 65,534 rows.
std::vector<std::u16string> cell_numbers(const std::vector<encode::Feature>& features,
                                         const rows::EncodedRows& rows);

}  // namespace mirrorball::shap
