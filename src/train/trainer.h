#pragma once

#include <cstdint>

#include "mirrorball/progress.h"
#include "train/plan.h"

namespace mirrorball {

struct TrainedMember {
  Buffer<float> weights;
  MemberHistory history;
};

/// Trains one member: epochs of steps, the validation score after each, the best weights kept. Without
/// validation rows the last weights are kept. `progress` (may be empty) can end it early.
TrainedMember train_member(const NetShape& shape, const NetLayout& layout, const Options& options,
                           std::uint32_t member, const TrainingRows& rows, ThreadPool& pool,
                           const ProgressCallback& progress);

}  // namespace mirrorball
