#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/buffer.h"
#include "base/thread_pool.h"
#include "encode/encoder.h"
#include "kernels/adam.h"
#include "kernels/energy_score.h"
#include "net/noise_embedding.h"
#include "net/tile.h"
#include "train/noise_plan.h"

namespace mirrorball {

/// Encoded rows with what they should predict, for training and for validation.
struct TrainingRows {
  EncodedRows inputs;
  Buffer<float> targets;                    ///< rows x targets, transformed
  Buffer<double> observed;                  ///< the same in their own units; for calibration
  Buffer<float> weights;                    ///< one per row, with mean 1 over the training rows
  std::vector<std::uint32_t> train, valid;  ///< which rows are for what
  std::vector<std::uint32_t> conformal;     ///< and which for nothing but the guarantee of an interval
};

/// A step is cut into lanes, each with its own gradient, summed in order: the result does not depend on how
/// many threads work on them. More lanes keep more threads busy but make the sums dearer, so their number
/// follows the tiles of a step.
std::size_t lane_count(std::size_t tiles);

/// One gradient step on a batch: forward, loss and backward tile by tile, then Adam. `bfloat` rounds the
/// factors of the hidden layers' products to bfloat16; weights, sums and everything else stay in float.
class TrainStep {
 public:
  TrainStep(const NetShape& shape, const NetLayout& layout, const NoisePlan& noise, const EnergyScore& score,
            std::size_t max_batch, ThreadPool& pool, bool bfloat = false);

  /// Keys of the step's random numbers.
  struct Key {
    std::uint64_t seed;
    std::uint32_t member, step;
  };

  /// Gradient of the mean loss over the batch, left in the lanes; returns the mean loss.
  double gradient(const TrainingRows& rows, std::span<const std::uint32_t> batch, const float* weights,
                  const Key& key);

  /// Applies it.
  void update(const AdamStep& step, const AdamState& state);

  /// The lanes' gradients, to be summed; for tests.
  std::span<const float* const> lanes() const { return lane_gradients_; }

 private:
  struct Lane {
    Buffer<float> gradient, dtable;
    double loss = 0;
  };

  /// What a thread needs for one tile at a time; it stays in that core's cache from tile to tile.
  struct Worker {
    explicit Worker(TileSpace tile_space) : space(std::move(tile_space)) {}

    TileSpace space;
    std::vector<std::uint32_t> index;
    Buffer<float> points, features, phi, dphi;  ///< noise of one tile, without a grid
    std::vector<std::uint64_t> scratch;
  };

  void fill_table(const float* weights, const Key& key);
  Worker make_worker() const;
  void run_lane(Lane& lane, Worker& worker, std::size_t begin, std::size_t end, const TrainingRows& rows,
                std::span<const std::uint32_t> batch, const float* weights, const Key& key);
  TileNoise tile_noise(Worker& worker, std::size_t first, std::size_t samples, const float* weights,
                       const Key& key);
  double tile_loss(Worker& worker, std::size_t samples, const TrainingRows& rows,
                   std::span<const std::uint32_t> which, float share);
  void table_backward();

  const NetShape& shape_;
  const NetLayout& layout_;
  NoisePlan noise_;
  EnergyScore score_;
  ThreadPool& pool_;
  NoiseEmbedding embedding_;
  bool bfloat_;
  TileNet tile_;
  std::size_t tile_samples_;
  std::vector<Lane> lanes_;
  std::vector<Worker> workers_;
  std::vector<const float*> lane_gradients_;
  PreparedLayers layers_;
  Buffer<float> grid_points_, grid_features_, grid_phi_;
};

}  // namespace mirrorball
