#pragma once

#include <cstdint>
#include <vector>

#include "rows/memory_rows.h"

namespace mirrorball::train {

/// Encoded rows with what they should predict, and which of them are for what.
struct TrainingRows : rows::MemoryRows {
  Buffer<double> observed;                    ///< the targets in their own units; for calibration
  std::vector<rows::RowNumber> train, valid;  ///< valid: for choosing the best epoch and the calibration
  std::vector<rows::RowNumber> conformal;     ///< for nothing but the guarantee of an interval
  std::vector<std::uint32_t> groups;          ///< of every row, where whole groups are held out
  /// Where networks leave out one fold after the other: the rows of each fold. `train` and `valid` are then
  /// those of the first.
  std::vector<std::vector<rows::RowNumber>> folds;

  /// The rows that a network trains on and those that choose its best epoch.
  struct Split {
    std::vector<rows::RowNumber> train, valid;
  };
  Split split_of(std::uint32_t network) const;
};

}  // namespace mirrorball::train
