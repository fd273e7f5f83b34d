#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/buffer.h"

namespace mirrorball::rows {

/// The number of a row of a table.
using RowNumber = std::uint32_t;

/// Rows as the network takes them: `number_columns` floats, one for each number and then those of numbers
/// that enter by their value too, and `code_columns` row numbers of the table of learned rows (one per
/// category, one per column with missing values); kNothing adds none.
struct EncodedRows {
  static constexpr std::int32_t kNothing = -1;

  EncodedRows() = default;
  EncodedRows(std::size_t row_count, std::size_t number_count, std::size_t code_count)
      : rows(row_count),
        number_columns(number_count),
        code_columns(code_count),
        numbers(row_count * number_count),
        codes(row_count * code_count) {}

  std::span<const float> numbers_of(std::size_t row) const {
    return {numbers.data() + row * number_columns, number_columns};
  }
  std::span<const std::int32_t> codes_of(std::size_t row) const {
    return {codes.data() + row * code_columns, code_columns};
  }

  std::size_t rows = 0, number_columns = 0, code_columns = 0;
  Buffer<float> numbers;
  Buffer<std::int32_t> codes;
};

}  // namespace mirrorball::rows
