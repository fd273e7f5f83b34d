#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mirrorball::shap {

/// Background rows between two choices of what to ask for next.
inline constexpr std::size_t kRound = 16;

/// What every feature contributes to the way from a background row to x: its Shapley value with that row
/// alone as the background, or an unbiased estimate of it. The Shapley value is the mean over background
/// rows.
struct Contributions {
  std::size_t features = 0, kinds = 1;  ///< numbers that are explained together
  std::size_t rows = 0;
  std::vector<double> value;  ///< rows x kinds x features
  std::vector<double> noise;  ///< variance of `value` from the choice of orders; NaN: not known
  /// Features asked for in every round of rows, rounds x features. The others' values there mean nothing.
  std::vector<std::uint8_t> asked;

  std::size_t at(std::size_t row, std::size_t kind, std::size_t feature) const {
    return (row * kinds + kind) * features + feature;
  }
  /// Rows in which this feature was asked for.
  std::vector<std::size_t> rows_of(std::size_t feature) const {
    std::vector<std::size_t> found;
    for (std::size_t row = 0; row < rows; ++row)
      if (asked[row / kRound * features + feature]) found.push_back(row);
    return found;
  }
};

}  // namespace mirrorball::shap
