#include "train/step.h"

#include <algorithm>
#include <numeric>

#include "net/noise_points.h"

namespace mirrorball {
namespace {

/// Part `i` of `parts` of [0, count), as even as whole numbers allow.
std::size_t cut(std::size_t count, std::size_t parts, std::size_t i) { return count * i / parts; }

}  // namespace

TrainStep::TrainStep(const NetShape& shape, const NetLayout& layout, const NoisePlan& noise,
                     const EnergyScore& score, std::size_t max_batch, ThreadPool& pool)
    : shape_(shape),
      layout_(layout),
      noise_(noise),
      score_(score),
      pool_(pool),
      embedding_(shape, layout),
      tile_(shape, layout),
      tile_samples_(std::clamp<std::size_t>(kTileRows / noise.draws, 1, std::max<std::size_t>(1, max_batch))),
      transposed_(tile_.transposed_size()) {
  const std::size_t stride = shape.stride(), rows = tile_samples_ * noise.draws;
  const bool local = shape.noisy() && noise.grid == 0;
  const std::size_t local_rows = local ? rows : 0, grid = shape.noisy() ? noise.grid : 0;
  for (std::size_t i = 0; i < kLanes; ++i) {
    Lane& lane = lanes_.emplace_back(TileSpace(shape, {tile_samples_, noise.draws}, true));
    lane.gradient = Buffer<float>(layout.size);
    lane.dtable = Buffer<float>(grid * stride);
    lane.points = Buffer<float>(local_rows * shape.noise_dim);
    lane.features = Buffer<float>(local_rows * embedding_.feature_stride());
    lane.phi = Buffer<float>(local_rows * stride);
    lane.dphi = Buffer<float>(local_rows * stride);
    // Without a grid each draw has its own row; with one the indices are drawn anew for every tile.
    lane.index.resize(rows);
    std::iota(lane.index.begin(), lane.index.end(), 0u);
    lane_gradients_.push_back(lane.gradient.data());
  }
  grid_points_ = Buffer<float>(grid * shape.noise_dim);
  grid_features_ = Buffer<float>(grid * embedding_.feature_stride());
  grid_phi_ = Buffer<float>(grid * stride);
}

double TrainStep::gradient(const TrainingRows& rows, std::span<const std::uint32_t> batch,
                           const float* weights, const Key& key) {
  fill_table(weights, key);
  pool_.run(kLanes, [&](std::size_t i, unsigned) {
    run_lane(lanes_[i], cut(batch.size(), kLanes, i), cut(batch.size(), kLanes, i + 1), rows, batch, weights,
             key);
  });
  if (grid_phi_.size() > 0) table_backward();
  double loss = 0;
  for (const Lane& lane : lanes_) loss += lane.loss;
  return loss;
}

void TrainStep::fill_table(const float* weights, const Key& key) {
  const std::size_t grid = grid_phi_.size() ? noise_.grid : 0, stride = shape_.stride();
  if (grid) {
    Stream random(key.seed, Purpose::kShift, key.member, key.step);
    grid_points(random, shape_.noise_dim, grid_points_.span());
  }
  pool_.run(kLanes + shape_.layers, [&](std::size_t i, unsigned) {
    if (i >= kLanes) return tile_.transpose_layer(weights, i - kLanes, transposed_.data());
    const std::size_t begin = cut(grid, kLanes, i), end = cut(grid, kLanes, i + 1);
    if (begin == end) return;
    embedding_.forward(weights, grid_points_.data() + begin * shape_.noise_dim, end - begin,
                       grid_features_.data() + begin * embedding_.feature_stride(),
                       grid_phi_.data() + begin * stride);
  });
}

void TrainStep::run_lane(Lane& lane, std::size_t begin, std::size_t end, const TrainingRows& rows,
                         std::span<const std::uint32_t> batch, const float* weights, const Key& key) {
  std::fill(lane.gradient.begin(), lane.gradient.end(), 0.0f);
  std::fill(lane.dtable.begin(), lane.dtable.end(), 0.0f);
  lane.loss = 0;
  const float share = 1.0f / static_cast<float>(batch.size());
  const std::size_t count = end - begin, tiles = (count + tile_samples_ - 1) / tile_samples_;
  for (std::size_t tile = 0; tile < tiles; ++tile) {
    const std::size_t first = begin + cut(count, tiles, tile),
                      samples = begin + cut(count, tiles, tile + 1) - first;
    const auto which = batch.subspan(first, samples);
    tile_.gather(rows.inputs, which, lane.space);
    const TileNoise noise = tile_noise(lane, first, samples, weights, key);
    tile_.forward(weights, {samples, noise_.draws}, noise, true, lane.space);
    tile_loss(lane, samples, rows, which, share);
    float* dtable = noise_.grid ? lane.dtable.data() : lane.dphi.data();
    tile_.backward(weights, transposed_.data(), {samples, noise_.draws}, noise, lane.space,
                   lane.gradient.data(), dtable);
    if (shape_.noisy() && !noise_.grid)
      embedding_.backward(lane.features.data(), lane.phi.data(), samples * noise_.draws, dtable,
                          lane.gradient.data());
  }
}

TileNoise TrainStep::tile_noise(Lane& lane, std::size_t first, std::size_t samples, const float* weights,
                                const Key& key) {
  if (!shape_.noisy()) return {};
  const std::size_t draws = noise_.draws, dims = shape_.noise_dim;
  for (std::size_t s = 0; s < samples; ++s) {
    Stream random(key.seed, Purpose::kNoise, key.member, key.step, static_cast<std::uint32_t>(first + s));
    if (noise_.grid) {
      choose_rows(noise_, dims, random, std::span(lane.index).subspan(s * draws, draws));
    } else {
      choose_points(noise_, dims, random, lane.points.span().subspan(s * draws * dims, draws * dims));
    }
  }
  if (noise_.grid) return {grid_phi_.data(), lane.index.data()};
  std::fill_n(lane.dphi.data(), samples * draws * shape_.stride(), 0.0f);
  embedding_.forward(weights, lane.points.data(), samples * draws, lane.features.data(), lane.phi.data());
  return {lane.phi.data(), lane.index.data()};
}

void TrainStep::tile_loss(Lane& lane, std::size_t samples, const TrainingRows& rows,
                          std::span<const std::uint32_t> which, float share) {
  const std::size_t stride = samples * noise_.draws;
  for (std::size_t s = 0; s < samples; ++s) {
    const float* truth = rows.targets.data() + which[s] * shape_.targets;
    const float* draws = lane.space.y.data() + s * noise_.draws;
    float* slopes = lane.space.dy.data() + s * noise_.draws;
    const float scale = share * rows.weights[which[s]];
    const float loss = shape_.noisy() ? score_(truth, draws, stride, scale, slopes, lane.scratch)
                                      : squared_error(truth, draws, shape_.targets, stride, scale, slopes);
    lane.loss += static_cast<double>(loss) * scale;
  }
}

/// Lane i sums its part of the table's rows over all lanes, in order, and takes them back through the
/// embedding into its own gradient.
void TrainStep::table_backward() {
  const std::size_t stride = shape_.stride(), grid = noise_.grid;
  pool_.run(kLanes, [&](std::size_t i, unsigned) {
    const std::size_t begin = cut(grid, kLanes, i), end = cut(grid, kLanes, i + 1);
    if (begin == end) return;
    float* sum = lanes_[0].dtable.data();
    for (std::size_t other = 1; other < kLanes; ++other) {
      const float* more = lanes_[other].dtable.data();
      for (std::size_t at = begin * stride; at < end * stride; ++at) sum[at] += more[at];
    }
    embedding_.backward(grid_features_.data() + begin * embedding_.feature_stride(),
                        grid_phi_.data() + begin * stride, end - begin, sum + begin * stride,
                        lanes_[i].gradient.data());
  });
}

void TrainStep::update(const AdamStep& step, const AdamState& state) {
  const std::size_t blocks = layout_.size / kLane, tasks = std::min<std::size_t>(blocks, 4 * kLanes);
  pool_.run(tasks, [&](std::size_t i, unsigned) {
    adam(step, state, lane_gradients_, cut(blocks, tasks, i) * kLane, cut(blocks, tasks, i + 1) * kLane);
  });
}

}  // namespace mirrorball
