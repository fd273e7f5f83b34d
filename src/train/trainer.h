#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "base/thread_pool.h"
#include "engine/engine.h"
#include "mirrorball/plan.h"
#include "mirrorball/progress.h"
#include "net/shape.h"
#include "train/state_store.h"
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

  /// What so many seconds are of it.
  double share_of(double seconds) const { return seconds / seconds_; }

  /// The share of it that is over.
  double used() const {
    return share_of(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count());
  }

 private:
  double seconds_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// Trains one network, from weights of its own or from `start` on: epochs of steps, the validation score
/// after each, the best weights kept. Without validation rows the last weights are kept. `progress` (may be
/// empty) can end it early. With a time slot the learning rate runs down with the time where that is faster
/// than the steps, so that training is over, and not cut off, when the time is. With a `store`, training goes
/// on from what it has of the network, and is kept there. The processes of a `team` share the steps and end
/// together, with the same network; the first of them keeps it. A team knows no time slot.
TrainedNetwork train_network(const net::NetShape& shape, const Plan& plan, std::uint32_t network,
                             const TrainingRows& rows, ThreadPool& pool, const ProgressCallback& progress,
                             const std::optional<TimeSlot>& slot = {}, const Buffer<float>* start = nullptr,
                             StateStore* store = nullptr,
                             const engine::Engine& engine = engine::default_engine(),
                             const group::Group& team = group::one_process());

}  // namespace mirrorball::train
