#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/buffer.h"
#include "base/thread_pool.h"
#include "engine/cpu/noise_embedding.h"
#include "engine/cpu/team_sums.h"
#include "engine/cpu/tile.h"
#include "engine/engine.h"

namespace mirrorball::engine {

/// A step is cut into shards, each with its own gradient, summed in order: the result does not depend on how
/// many threads work on them. More shards keep more threads busy but make the sums dearer, so their number
/// follows the tiles of a step.
std::size_t shard_count(std::size_t tiles);
/// That of a step of so many rows.
std::size_t shard_count(const net::StepNoise& noise, std::size_t rows);

/// One gradient step on a batch: forward, loss and backward tile by tile, then Adam. With `task.bfloat` the
/// factors of the hidden layers' products are rounded to bfloat16; weights, sums and everything else stay in
/// float.
/// The processes of a team compute some of the shards each, and all of the update.
class TrainStep {
 public:
  /// All of them must outlive this.
  TrainStep(const TrainTask& task, const net::NetLayout& layout, ThreadPool& pool);

  /// Gradient of the mean loss over the batch, left in the shards (of a team: summed); returns the mean loss.
  double gradient(std::span<const rows::RowNumber> batch, std::uint32_t number, const float* weights);

  /// Applies it.
  void update(const kernels::AdamStep& step, const kernels::AdamState& state);

  /// The shards' gradients, to be summed; for tests.
  std::span<const float* const> shards() const { return shard_gradients_; }

 private:
  struct Shard {
    Buffer<float> gradient, dtable;
  };

  /// What a thread needs for one tile at a time; it stays in that core's cache from tile to tile.
  struct Worker {
    explicit Worker(TileSpace tile_space) : space(std::move(tile_space)) {}

    TileSpace space;
    std::vector<std::uint32_t> index;
    Buffer<float> points, features, phi, dphi;  ///< noise of one tile, without a grid
    Buffer<float> targets, weights;             ///< of the tile's rows
    std::vector<std::uint64_t> scratch;
  };

  /// The batch of the step under way, and its number.
  struct Batch {
    std::span<const rows::RowNumber> rows;
    std::uint32_t number;
  };

  void fill_table(const float* weights, std::uint32_t number);
  void join_team(std::size_t grid);
  Worker make_worker() const;
  double run_shard(Shard& shard, Worker& worker, std::size_t begin, std::size_t end, const Batch& batch,
                   const float* weights);
  TileNoise tile_noise(Worker& worker, std::size_t first, std::size_t rows, std::uint32_t number,
                       const float* weights);
  double tile_loss(Worker& worker, std::span<const rows::RowNumber> which, float share);
  void table_backward();

  const TrainTask& task_;
  const net::NetShape& shape_;
  const net::StepNoise& noise_;
  const net::NetLayout& layout_;
  ThreadPool& pool_;
  NoiseEmbedding embedding_;
  TileNet tile_;
  std::size_t tile_rows_;
  std::vector<Shard> shards_;
  std::vector<double> losses_;  ///< of the shards
  std::vector<Worker> workers_;
  std::vector<const float*> shard_gradients_;
  std::unique_ptr<TeamSums> team_;       ///< none for a process alone
  std::size_t first_shard_, end_shard_;  ///< those of this process
  PreparedLayers layers_;
  Buffer<float> grid_points_, grid_features_, grid_phi_;
};

}  // namespace mirrorball::engine
