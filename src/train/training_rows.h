#pragma once

#include <vector>

#include "rows/memory_rows.h"

namespace mirrorball::train {

/// Encoded rows with what they should predict, and which of them are for what.
struct TrainingRows : rows::MemoryRows {
  Buffer<double> observed;                    ///< the targets in their own units; for calibration
  std::vector<rows::RowNumber> train, valid;  ///< valid: for choosing the best epoch and the calibration
  std::vector<rows::RowNumber> conformal;     ///< for nothing but the guarantee of an interval
};

}  // namespace mirrorball::train
