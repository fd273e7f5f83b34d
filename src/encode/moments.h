#pragma once

#include <cmath>
#include <span>

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

}  // namespace mirrorball::encode
