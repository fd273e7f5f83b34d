#include "net/sampler.h"

#include <algorithm>

namespace mirrorball {

// More draws than a tile has rows are taken in chunks of nearly equal size; fewer, several samples to a tile.
NetSampler::NetSampler(const NetShape& shape, const NetLayout& layout, std::size_t draws, ThreadPool& pool)
    : shape_(shape),
      pool_(pool),
      draws_(shape.noisy() ? draws : 1),
      tile_samples_(std::max<std::size_t>(1, (kTileRows + draws_ / 2) / draws_)),
      chunks_((draws_ + kTileRows - 1) / kTileRows),
      embedding_(shape, layout),
      tile_(shape, layout),
      index_(tile_samples_ * draws_) {
  for (std::size_t i = 0; i < index_.size(); ++i) index_[i] = static_cast<std::uint32_t>(i % draws_);
  const TileSize largest{tile_samples_, (draws_ + chunks_ - 1) / chunks_};
  for (unsigned worker = 0; worker < pool.size(); ++worker) {
    spaces_.emplace_back(shape, largest, TileSpace::Use::kDraw);
    out_.emplace_back(tile_samples_ * shape.targets * draws_);
  }
}

Buffer<float> NetSampler::embed(const float* weights, std::span<const float> points) {
  if (!shape_.noisy()) return {};
  Buffer<float> features(draws_ * embedding_.feature_stride()), phi(draws_ * shape_.stride());
  embedding_.forward(weights, points.data(), draws_, features.data(), phi.data());
  return phi;
}

void NetSampler::run(const float* weights, const float* phi, const EncodedRows& rows,
                     std::span<const std::uint32_t> which, const Sink& sink) {
  const std::size_t task_rows = std::max<std::size_t>(16, 8 * tile_samples_);
  pool_.run((which.size() + task_rows - 1) / task_rows, [&](std::size_t task, unsigned worker) {
    const std::size_t begin = task * task_rows, count = std::min(task_rows, which.size() - begin);
    run_rows(weights, phi, rows, which.subspan(begin, count), begin, worker, sink);
  });
}

void NetSampler::run_rows(const float* weights, const float* phi, const EncodedRows& rows,
                          std::span<const std::uint32_t> which, std::size_t begin, unsigned worker,
                          const Sink& sink) {
  TileSpace& space = spaces_[worker];
  float* out = out_[worker].data();
  for (std::size_t first = 0; first < which.size(); first += tile_samples_) {
    const std::size_t samples = std::min(tile_samples_, which.size() - first);
    tile_.gather(rows, which.subspan(first, samples), space);
    for (std::size_t chunk = 0; chunk < chunks_; ++chunk) {
      const std::size_t from = draws_ * chunk / chunks_, count = draws_ * (chunk + 1) / chunks_ - from;
      // Always whole tiles: products of another size may round otherwise, and a row must not depend on its
      // neighbours.
      const TileSize size{tile_samples_, count};
      tile_.draw(weights, size, {phi + from * shape_.stride(), index_.data()}, space);
      for (std::size_t s = 0; s < samples; ++s)
        for (std::size_t t = 0; t < shape_.targets; ++t)
          std::copy_n(space.y.data() + t * size.rows() + s * count, count,
                      out + (s * shape_.targets + t) * draws_ + from);
    }
    for (std::size_t s = 0; s < samples; ++s)
      sink(begin + first + s, out + s * shape_.targets * draws_, worker);
  }
}

}  // namespace mirrorball
