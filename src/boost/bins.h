#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mirrorball::boost {

/// Values of a column up to and including cuts[b], and above cuts[b - 1], are in bin b.
constexpr std::size_t kMostBins = 255;

/// Cuts of a column by its values, in any order: between any two values that differ, or where there are more,
/// so that each bin has about as many rows.
std::vector<float> cuts_of(std::vector<float> values);

std::uint8_t bin_of(std::span<const float> cuts, float value);

/// Rows by the bins of their columns, one row after the other.
struct BinnedRows {
  std::vector<std::vector<float>> cuts;  ///< of each column
  std::vector<std::uint8_t> bins;

  std::size_t columns() const { return cuts.size(); }
  const std::uint8_t* row(std::size_t i) const { return bins.data() + i * columns(); }
};

}  // namespace mirrorball::boost
