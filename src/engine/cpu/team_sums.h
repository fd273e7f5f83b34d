#pragma once

#include <span>
#include <vector>

#include "base/buffer.h"
#include "base/thread_pool.h"
#include "group/parts.h"

namespace mirrorball::engine {

/// The shards of a step over the processes of a team, each of which has computed some of them. A process gets
/// its part of all arrays and sums it over the shards in their order, so that no bit depends on how many
/// processes there are.
class TeamSums {
 public:
  /// `gradients` and `tables`, of every shard, outlive it. Of the tables' `rows` of `stride` values a process
  /// gets those that its shards take back.
  TeamSums(const group::Group& team, std::vector<float*> gradients, std::size_t size,
           std::vector<float*> tables, std::size_t rows, std::size_t stride);

  std::size_t first_shard() const { return shards_[team_.rank()]; }
  std::size_t end_shard() const { return shards_[team_.rank() + 1]; }

  /// Gives every process its rows of the noise table's gradient of all shards.
  void collect_tables();

  /// Gives every process the sum of the gradients and the losses of all shards.
  void sum(ThreadPool& pool, std::span<double> losses);
  const float* summed() const { return sum_.data(); }

 private:
  const group::Group& team_;
  std::vector<float*> gradients_, tables_;
  group::Bounds shards_, table_parts_, parts_;  ///< of each process: shards, values of the table, parameters
  Buffer<float> sum_;
};

}  // namespace mirrorball::engine
