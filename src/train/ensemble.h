#pragma once

#include <functional>
#include <vector>

#include "group/group.h"
#include "train/trainer.h"

namespace mirrorball::train {

/// Work that needs no network and that no network needs.
struct SideWork {
  std::vector<std::function<void(ThreadPool&)>> jobs;  ///< in the order in which they are begun
  std::function<void()> stop;                          ///< asks jobs under way to end; from any thread
};

/// Trains all networks: those of this process first, each by one thread that waits for nobody while at least
/// as many are left as there are threads; threads that nothing is left for help the others. Side work comes
/// first, on the same threads, or beside the networks where another device trains them. Networks that are
/// left over when each process has as many as every other are trained by teams of processes (`share_work`).
/// The networks come in their order and do not depend on the number of threads or processes. `progress` is
/// called on the calling thread, during side work also now and then for network 0; when it ends the training,
/// side work is asked to end, and what is not yet begun is left out, but for the first network. `store` may
/// be null.
std::vector<TrainedNetwork> train_networks(const net::NetShape& shape, const Plan& plan,
                                           const TrainingRows& rows, const group::Group& group,
                                           unsigned threads, const ProgressCallback& progress,
                                           StateStore* store = nullptr,
                                           const engine::Engine& engine = engine::default_engine(),
                                           const SideWork& beside = {});

/// Side work by itself, one job after the other with all threads; `progress` as above.
void do_side_work(const SideWork& work, unsigned threads, const ProgressCallback& progress);

/// Trains networks on from the weights they have, on all of rows.train, as `refit_plan` says. A network that
/// is stopped on the way or diverges keeps its weights; the others are marked `refit`.
void refit_networks(const net::NetShape& shape, const Plan& plan, const TrainingRows& rows,
                    const group::Group& group, unsigned threads, const ProgressCallback& progress,
                    std::vector<NetworkHistory>& history, std::vector<Buffer<float>>& weights,
                    StateStore* store = nullptr, const engine::Engine& engine = engine::default_engine());

}  // namespace mirrorball::train
