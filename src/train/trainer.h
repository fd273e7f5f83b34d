#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "base/thread_pool.h"
#include "mirrorball/plan.h"
#include "mirrorball/progress.h"
#include "net/shape.h"
#include "train/training_rows.h"

namespace mirrorball::train {

struct TrainedNetwork {
  Buffer<float> weights;
  NetworkHistory history;
};

/// The time a network's training may take.
class TimeSlot {
 public:
  explicit TimeSlot(double seconds) : seconds_(seconds) {}

  /// The share of it that is over.
  double used() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count() / seconds_;
  }

 private:
  double seconds_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// Trains one network, from weights of its own or from `start` on: epochs of steps, the validation score
/// after each, the best weights kept. Without validation rows the last weights are kept. `progress` (may be
/// empty) can end it early. With a time slot the learning rate runs down with the time where that is faster
/// than the steps, so that training is over, and not cut off, when the time is.
TrainedNetwork train_network(const net::NetShape& shape, const Plan& plan, std::uint32_t network,
                             const TrainingRows& rows, ThreadPool& pool, const ProgressCallback& progress,
                             const std::optional<TimeSlot>& slot = {}, const Buffer<float>* start = nullptr);

}  // namespace mirrorball::train
