#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace mirrorball {

/// A value to so many digits, as "{:.4g}" writes it, but without an exponent up to 10^12: prices and
/// populations read as 10362, not as 1.036e+04.
inline std::string plain_number(double value, int digits = 4) {
  const double size = std::fabs(value);
  if (size >= std::pow(10.0, digits) - 0.5 && size < 1e12) return fmt::format("{:.0f}", value);
  return fmt::format("{:.{}g}", value, digits);
}

}  // namespace mirrorball
