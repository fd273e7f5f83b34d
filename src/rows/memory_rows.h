#pragma once

#include "rows/row_store.h"

namespace mirrorball::rows {

/// Rows in memory that are drawn for: inputs alone.
class InputRows : public RowStore {
 public:
  explicit InputRows(const EncodedRows& inputs) : inputs_(inputs) {}

  std::size_t size() const override { return inputs_.rows; }
  void gather(std::span<const RowNumber> which, const RowBlock& to) const override;

 private:
  const EncodedRows& inputs_;
};

/// Rows in memory that are trained on.
class MemoryRows : public RowStore {
 public:
  std::size_t size() const override { return inputs.rows; }
  void gather(std::span<const RowNumber> which, const RowBlock& to) const override;

  EncodedRows inputs;
  Buffer<float> targets;  ///< rows x targets, transformed
  Buffer<float> weights;  ///< one per row, with mean 1 over the training rows
};

}  // namespace mirrorball::rows
