#include "report/json_numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace mirrorball::report {

Json number(double value, int digits) {
  if (!std::isfinite(value)) return nullptr;
  char text[40];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits).ptr;
  double rounded = 0;
  std::from_chars(text, end, rounded);
  if (rounded == std::nearbyint(rounded) && std::fabs(rounded) < 1e15)
    return static_cast<std::int64_t>(rounded);
  return rounded;
}

int digits_of(const NumberTransform& transform) { return std::max(kDigits, transform.digits() - 2); }

int digits_of(const Feature& feature) {
  return feature.dates ? feature.digits() : digits_of(feature.transform);
}

}  // namespace mirrorball::report
