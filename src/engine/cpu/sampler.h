#pragma once

#include <functional>
#include <span>

#include "base/thread_pool.h"
#include "engine/cpu/tile.h"

namespace mirrorball::engine {

/// What a network makes of `count` noise points; a network without noise has no points, and nothing comes
/// back.
Buffer<float> embed_noise(const net::NetShape& shape, const net::NetLayout& layout, const float* weights,
                          std::span<const float> points, std::size_t count);

/// Draws from one network for many rows, all with the same noise points: their embedding is computed once.
class NetSampler {
 public:
  NetSampler(const net::NetShape& shape, const net::NetLayout& layout, std::size_t draws, ThreadPool& pool);

  std::size_t draws() const { return draws_; }

  /// Gets the draws of which[i]: for each target a run of `draws` values. Called from several threads at
  /// once.
  using Sink = std::function<void(std::size_t i, const float* draws, unsigned worker)>;

  /// `phi` comes from `embed_noise`, with the same weights.
  void run(const float* weights, const float* phi, const rows::RowStore& rows,
           std::span<const rows::RowNumber> which, const Sink& sink);

 private:
  void run_rows(const float* weights, const float* phi, const rows::RowStore& rows,
                std::span<const rows::RowNumber> which, std::size_t begin, unsigned worker, const Sink& sink);

  const net::NetShape& shape_;
  ThreadPool& pool_;
  std::size_t draws_, tile_rows_, chunks_;
  TileNet tile_;
  std::vector<std::uint32_t> index_;
  std::vector<TileSpace> spaces_;        ///< one per worker
  std::vector<std::vector<float>> out_;  ///< draws of a tile's rows, one per worker
};

}  // namespace mirrorball::engine
