#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "rows/memory_rows.h"
#include "rows/row_cache.h"

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

  /// Where not all rows fit into memory: those that networks train on. The rows here are then a sample of the
  /// table, by which all else goes; its validation rows are not among those of the cache.
  std::shared_ptr<const rows::RowCache> cache;

  /// How many rows networks train on.
  std::size_t training_size() const { return cache ? cache->rows() : train.size(); }

  /// The rows that a network trains on and those that choose its best epoch.
  struct Split {
    std::vector<rows::RowNumber> train, valid;
  };
  Split split_of(std::uint32_t network) const;
};

}  // namespace mirrorball::train
