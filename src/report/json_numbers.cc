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

int digits_of(const ColumnSchema& column) {
  return column.dates ? column.digits : std::max(kDigits, column.digits - 2);
}

}  // namespace mirrorball::report
