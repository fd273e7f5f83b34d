#include "engine/cpu/sampler.h"

#include <algorithm>

#include "engine/cpu/noise_embedding.h"

namespace mirrorball::engine {

Buffer<float> embed_noise(const net::NetShape& shape, const net::NetLayout& layout, const float* weights,
                          std::span<const float> points, std::size_t count) {
  if (!shape.noisy()) return {};
  NoiseEmbedding embedding(shape, layout);
  Buffer<float> features(count * embedding.feature_stride()), phi(count * shape.stride());
  embedding.forward(weights, points.data(), count, features.data(), phi.data());
  return phi;
}

// More draws than a tile has rows are taken in chunks of nearly equal size; fewer, several rows to a tile.
NetSampler::NetSampler(const net::NetShape& shape, const net::NetLayout& layout, std::size_t draws,
                       ThreadPool& pool)
    : shape_(shape),
      pool_(pool),
      draws_(shape.noisy() ? draws : 1),
      tile_rows_(std::max<std::size_t>(1, (kTileLines + draws_ / 2) / draws_)),
      chunks_((draws_ + kTileLines - 1) / kTileLines),
      tile_(shape, layout),
      index_(tile_rows_ * draws_) {
  for (std::size_t i = 0; i < index_.size(); ++i) index_[i] = static_cast<std::uint32_t>(i % draws_);
  const TileSize largest{tile_rows_, (draws_ + chunks_ - 1) / chunks_};
  for (unsigned worker = 0; worker < pool.size(); ++worker) {
    spaces_.emplace_back(shape, largest, TileSpace::Use::kDraw);
    out_.emplace_back(tile_rows_ * shape.targets * draws_);
  }
}

void NetSampler::run(const float* weights, const float* phi, const rows::RowStore& rows,
                     std::span<const rows::RowNumber> which, const Sink& sink) {
  const std::size_t task_rows = std::max<std::size_t>(16, 8 * tile_rows_);
  pool_.run((which.size() + task_rows - 1) / task_rows, [&](std::size_t task, unsigned worker) {
    const std::size_t begin = task * task_rows, count = std::min(task_rows, which.size() - begin);
    run_rows(weights, phi, rows, which.subspan(begin, count), begin, worker, sink);
  });
}

void NetSampler::run_rows(const float* weights, const float* phi, const rows::RowStore& rows,
                          std::span<const rows::RowNumber> which, std::size_t begin, unsigned worker,
                          const Sink& sink) {
  TileSpace& space = spaces_[worker];
  float* out = out_[worker].data();
  for (std::size_t first = 0; first < which.size(); first += tile_rows_) {
    const std::size_t tile_count = std::min(tile_rows_, which.size() - first);
    tile_.gather(rows, which.subspan(first, tile_count), space);
    for (std::size_t chunk = 0; chunk < chunks_; ++chunk) {
      const std::size_t from = draws_ * chunk / chunks_, count = draws_ * (chunk + 1) / chunks_ - from;
      // Always whole tiles: products of another size may round otherwise, and a row must not depend on its
      // neighbours.
      const TileSize size{tile_rows_, count};
      tile_.draw(weights, size, {phi + from * shape_.stride(), index_.data()}, space);
      for (std::size_t s = 0; s < tile_count; ++s)
        for (std::size_t t = 0; t < shape_.targets; ++t)
          std::copy_n(space.y.data() + t * size.lines() + s * count, count,
                      out + (s * shape_.targets + t) * draws_ + from);
    }
    for (std::size_t s = 0; s < tile_count; ++s)
      sink(begin + first + s, out + s * shape_.targets * draws_, worker);
  }
}

}  // namespace mirrorball::engine
