#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "mirrorball/schema.h"
#include "report/forecasts.h"

namespace mirrorball::report {

/// Rows that are alike in one feature.
struct Slice {
  enum class Kind { kRange, kCategory, kOtherCategories, kMissing };
  Kind kind = Kind::kRange;
  double low = 0, high = 0, middle = 0;  ///< of a range: smallest, largest, median
  std::string category;
  std::vector<std::uint32_t> rows;

  /// "size from 20 to 35", "kind = loft", "no value of age".
  std::string words(const ColumnSchema& feature) const;
};

/// At most `most` slices of about the same size, without splitting equal values; of a category, the most
/// frequent categories, and the others together. Rows without a value are one more.
std::vector<Slice> slices(const Table& table, const ColumnSchema& feature, std::size_t most);

/// Levels of the quantiles that are drawn along a feature.
inline constexpr std::array kFanLevels = {0.05, 0.25, 0.5, 0.75, 0.95};

/// The forecast of a slice's rows taken together, beside their outcomes.
struct Pooled {
  std::array<double, kFanLevels.size()> forecast{}, outcome{};
  std::size_t covered = 0;  ///< outcomes within the 90% interval of their row
  double mass = 0;          ///< mean probability of these intervals, by the forecasts themselves
};

/// A slice as it is drawn. The numbers of its rows are not kept, only how many they are.
struct PooledSlice {
  Slice slice;
  std::size_t rows = 0;
  std::vector<Pooled> targets;
};

/// `slices`, each with its forecasts of all targets pooled.
std::vector<PooledSlice> pooled_slices(const Forecasts& all, const Table& table, const ColumnSchema& feature,
                                       std::size_t most);

}  // namespace mirrorball::report
