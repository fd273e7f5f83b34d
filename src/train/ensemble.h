#pragma once

#include <vector>

#include "group/group.h"
#include "train/trainer.h"

namespace mirrorball::train {

/// Trains all networks: those of this process first, each by one thread that waits for nobody while at least
/// as many are left as there are threads; the last few share the threads. Networks that are left over when
/// each process has as many as every other are trained by teams of processes (`share_work`). The networks
/// come in their order and do not depend on the number of threads or processes. `progress` is called on the
/// calling thread; when it ends the training, networks not yet begun are left out. `store` may be null.
std::vector<TrainedNetwork> train_networks(const net::NetShape& shape, const Plan& plan,
                                           const TrainingRows& rows, const group::Group& group,
                                           unsigned threads, const ProgressCallback& progress,
                                           StateStore* store = nullptr,
                                           const engine::Engine& engine = engine::default_engine());

/// Trains networks on from the weights they have, on all of rows.train, as `refit_plan` says. A network that
/// is stopped on the way or diverges keeps its weights; the others are marked `refit`.
void refit_networks(const net::NetShape& shape, const Plan& plan, const TrainingRows& rows,
                    const group::Group& group, unsigned threads, const ProgressCallback& progress,
                    std::vector<NetworkHistory>& history, std::vector<Buffer<float>>& weights,
                    StateStore* store = nullptr, const engine::Engine& engine = engine::default_engine());

}  // namespace mirrorball::train
