#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "plan/rules.h"

namespace mirrorball::encode {

struct Moments {
  double mean = 0, deviation = 0;
};

inline Moments moments(std::span<const double> values) {
  const double n = static_cast<double>(values.size());
  Moments out;
  double square = 0;
  for (double value : values) out.mean += value / n;
  for (double value : values) square += (value - out.mean) * (value - out.mean) / n;
  out.deviation = std::sqrt(square);
  return out;
}

/// Of values that are all equal: 0.
inline plan::Extent extent(std::span<const double> values) {
  const auto [mean, deviation] = moments(values);
  if (values.empty() || !(deviation > 0)) return {};
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  return {std::max(*greatest - mean, mean - *least) / deviation, (*greatest - *least) / deviation};
}

}  // namespace mirrorball::encode
