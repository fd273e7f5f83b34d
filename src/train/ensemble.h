#pragma once

#include <vector>

#include "train/trainer.h"

namespace mirrorball {

/// Trains all members. While at least as many are left as there are threads, every thread trains one by
/// itself and waits for nobody; the last few share the threads. The members come in their order and do not
/// depend on the number of threads. `progress` is called on the calling thread; when it ends the training,
/// members not yet begun are left out.
std::vector<TrainedMember> train_members(const NetShape& shape, const NetLayout& layout,
                                         const Options& options, const TrainingRows& rows, unsigned threads,
                                         const ProgressCallback& progress);

/// Trains members on from the weights they have, on all of rows.train, with a quarter of the learning rate,
/// for an eighth of the epochs there could have been and an eighth of those that took them there (the mean of
/// their best ones). A member that is stopped on the way or diverges keeps its weights; the others are marked
/// `refit`.
void refit_members(const NetShape& shape, const NetLayout& layout, const Options& options,
                   const TrainingRows& rows, unsigned threads, const ProgressCallback& progress,
                   std::vector<MemberHistory>& history, std::vector<Buffer<float>>& weights);

}  // namespace mirrorball
