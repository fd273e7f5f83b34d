#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "base/error.h"

namespace mirrorball::train {

/// Training numbers its rows in 32 bits.
inline constexpr std::size_t kMostTrainingRows = std::numeric_limits<std::uint32_t>::max();

/// Throws for more; `source` is the prefix that says where they come from.
inline void check_training_rows(std::size_t rows, const std::string& source) {
  if (rows > kMostTrainingRows)
    bad_input("{}{} rows for training and validation are more than the {} supported: fit a random sample",
              source, rows, kMostTrainingRows);
}

}  // namespace mirrorball::train
