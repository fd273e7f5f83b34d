#pragma once

#include <vector>

#include "rows/memory_rows.h"

namespace mirrorball {

/// Encoded rows with what they should predict, and which of them are for what.
struct TrainingRows : MemoryRows {
  Buffer<double> observed;              ///< the targets in their own units; for calibration
  std::vector<RowNumber> train, valid;  ///< valid: for choosing the best epoch and the calibration
  std::vector<RowNumber> conformal;     ///< for nothing but the guarantee of an interval
};

}  // namespace mirrorball
