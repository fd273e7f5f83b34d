#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mirrorball::neighbours {

/// Coordinates of a place.
constexpr std::size_t kDims = 16;

/// Where rows lie for each other. A row with numbers x and codes c lies at
///
///   z = W' x + sum_c E_c
///
/// and two rows are near where |z - z'|^2 is small.
struct Metric {
  std::vector<float> numbers;  ///< W: kDims of each number column
  std::vector<float> codes;    ///< E: kDims of each learned row that codes count

  bool operator==(const Metric&) const = default;

  void place(std::span<const float> row_numbers, std::span<const std::int32_t> row_codes,
             std::span<float, kDims> z) const;
};

}  // namespace mirrorball::neighbours
