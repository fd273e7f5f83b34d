#pragma once

#include <memory>
#include <span>
#include <vector>

#include "mirrorball/plan.h"
#include "train/training_rows.h"

namespace mirrorball::train {

/// The order in which one network sees its training rows, which depends on the plan and the network alone.
class RowOrder {
 public:
  virtual ~RowOrder() = default;

  virtual std::size_t size() const = 0;  ///< training rows
  /// What the numbers of batches and of validation rows are numbers of.
  virtual const rows::RowStore& store() const = 0;
  virtual std::span<const rows::RowNumber> validation() const = 0;

  /// Epochs come one after the other, from 0.
  virtual void begin_epoch(int epoch) = 0;
  /// Places [begin, end) of the epoch's order; valid until the next call.
  virtual std::span<const rows::RowNumber> batch(std::size_t begin, std::size_t end) = 0;
};

/// In memory any order; from a cache, one that reads it block by block (`rows::ShuffledRows`). Rows and split
/// must outlive it.
std::unique_ptr<RowOrder> order_of(const TrainingRows& rows, const TrainingRows::Split& split,
                                   const Plan& plan, std::uint32_t network);

}  // namespace mirrorball::train
