#pragma once

#include <memory>
#include <vector>

#include "base/thread_pool.h"
#include "engine/engine.h"

namespace mirrorball::bench {

/// A network in training: every call is a whole step, gradient and update.
class Trainee {
 public:
  Trainee(const engine::Engine& engine, const engine::TrainTask& task, unsigned threads)
      : pool_(threads),
        network_(engine.train(
            task, net::initial_weights(task.shape, net::NetLayout(task.shape), {}, 1, task.network), pool_)),
        batch_(task.largest_batch),
        rows_(static_cast<rows::RowNumber>(task.rows->size())) {}

  void operator()() {
    for (rows::RowNumber& row : batch_) row = (place_ += 7919) % rows_;
    network_->step(batch_, done_++, {1e-4f, 0.9f, 0.95f, 1.0f, 1.0f, 0.99f});
  }

  /// Until the device has done all steps.
  void wait() { network_->losses(); }

 private:
  ThreadPool pool_;
  std::unique_ptr<engine::TrainEngine> network_;
  std::vector<rows::RowNumber> batch_;
  rows::RowNumber rows_, place_ = 0;
  std::uint32_t done_ = 0;
};

}  // namespace mirrorball::bench
