#include "rows/memory_rows.h"

#include <algorithm>

namespace mirrorball::rows {

void InputRows::gather(std::span<const RowNumber> which, const RowBlock& to) const {
  const std::size_t numbers = inputs_.number_columns, codes = inputs_.code_columns;
  for (std::size_t i = 0; i < which.size(); ++i) {
    if (to.numbers)
      std::copy_n(inputs_.numbers.data() + which[i] * numbers, numbers, to.numbers + i * to.stride);
    if (to.codes) std::copy_n(inputs_.codes.data() + which[i] * codes, codes, to.codes + i * codes);
  }
}

void MemoryRows::gather(std::span<const RowNumber> which, const RowBlock& to) const {
  if (to.numbers || to.codes) InputRows(inputs).gather(which, to);
  const std::size_t count = inputs.rows == 0 ? 0 : targets.size() / inputs.rows;
  for (std::size_t i = 0; i < which.size(); ++i) {
    if (to.targets) std::copy_n(targets.data() + which[i] * count, count, to.targets + i * count);
    if (to.weights) to.weights[i] = weights[which[i]];
  }
}

}  // namespace mirrorball::rows
