#include "neighbours/metric.h"

#include <algorithm>

namespace mirrorball::neighbours {

void Metric::place(std::span<const float> row_numbers, std::span<const std::int32_t> row_codes,
                   std::span<float, kDims> z) const {
  std::ranges::fill(z, 0.0f);
  const float* row = numbers.data();
  for (const float x : row_numbers) {
    for (std::size_t d = 0; d < kDims; ++d) z[d] += x * row[d];
    row += kDims;
  }
  for (const std::int32_t code : row_codes) {
    if (code < 0) continue;
    const float* own = codes.data() + static_cast<std::size_t>(code) * kDims;
    for (std::size_t d = 0; d < kDims; ++d) z[d] += own[d];
  }
}

}  // namespace mirrorball::neighbours
