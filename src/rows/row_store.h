#pragma once

#include <span>

#include "rows/encoded_rows.h"

namespace mirrorball::rows {

/// Where gathered rows go, one after the other; null: not wanted.
struct RowBlock {
  float* numbers = nullptr;
  std::size_t stride = 0;  ///< floats from one row's numbers to the next's
  std::int32_t* codes = nullptr;
  float* targets = nullptr;  ///< transformed
  float* weights = nullptr;
};

/// Encoded rows by their number, wherever they lie. Training and drawing ask for them a tile at a time.
class RowStore {
 public:
  virtual ~RowStore() = default;

  /// How many rows there are.
  virtual std::size_t size() const = 0;

  /// Copies the rows `which`, in that order. Called from several threads at once.
  virtual void gather(std::span<const RowNumber> which, const RowBlock& to) const = 0;
};

}  // namespace mirrorball::rows
