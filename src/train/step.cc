#include "train/step.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "net/noise_points.h"

namespace mirrorball {
namespace {

/// Part `i` of `parts` of [0, count), as even as whole numbers allow.
std::size_t cut(std::size_t count, std::size_t parts, std::size_t i) { return count * i / parts; }

}  // namespace

// Four tiles or more to a lane; eight lanes at most.
std::size_t lane_count(std::size_t tiles) {
  return std::bit_floor(std::clamp<std::size_t>((tiles + 3) / 4, 1, 8));
}

TrainStep::TrainStep(const NetShape& shape, const NetLayout& layout, const NoisePlan& noise,
                     const EnergyScore& score, std::size_t max_batch, ThreadPool& pool, bool bfloat)
    : shape_(shape),
      layout_(layout),
      noise_(noise),
      score_(score),
      pool_(pool),
      embedding_(shape, layout),
      bfloat_(bfloat),
      tile_(shape, layout, bfloat),
      tile_samples_(std::clamp<std::size_t>(kTileRows / noise.draws, 1, std::max<std::size_t>(1, max_batch))),
      layers_(tile_.make_prepared()) {
  const std::size_t stride = shape.stride(), grid = shape.noisy() ? noise.grid : 0;
  const std::size_t tiles = (max_batch + tile_samples_ - 1) / tile_samples_;
  for (std::size_t i = 0; i < lane_count(tiles); ++i) {
    lanes_.push_back({Buffer<float>(layout.size), Buffer<float>(grid * stride)});
    lane_gradients_.push_back(lanes_[i].gradient.data());
  }
  for (unsigned i = 0; i < pool.size(); ++i) workers_.push_back(make_worker());
  grid_points_ = Buffer<float>(grid * shape.noise_dim);
  grid_features_ = Buffer<float>(grid * embedding_.feature_stride());
  grid_phi_ = Buffer<float>(grid * stride);
}

TrainStep::Worker TrainStep::make_worker() const {
  const std::size_t rows = tile_samples_ * noise_.draws;
  const std::size_t local_rows = shape_.noisy() && noise_.grid == 0 ? rows : 0;
  const auto use = bfloat_ ? TileSpace::Use::kTrainBfloat : TileSpace::Use::kTrain;
  Worker worker(TileSpace(shape_, {tile_samples_, noise_.draws}, use));
  worker.points = Buffer<float>(local_rows * shape_.noise_dim);
  worker.features = Buffer<float>(local_rows * embedding_.feature_stride());
  worker.phi = Buffer<float>(local_rows * shape_.stride());
  worker.dphi = Buffer<float>(local_rows * shape_.stride());
  // Without a grid each draw has its own row; with one the indices are drawn anew for every tile.
  worker.index.resize(rows);
  std::iota(worker.index.begin(), worker.index.end(), 0u);
  return worker;
}

double TrainStep::gradient(const TrainingRows& rows, std::span<const std::uint32_t> batch,
                           const float* weights, const Key& key) {
  fill_table(weights, key);
  const std::size_t lanes = lanes_.size();
  pool_.run(lanes, [&](std::size_t i, unsigned worker) {
    run_lane(lanes_[i], workers_[worker], cut(batch.size(), lanes, i), cut(batch.size(), lanes, i + 1), rows,
             batch, weights, key);
  });
  if (grid_phi_.size() > 0) table_backward();
  double loss = 0;
  for (const Lane& lane : lanes_) loss += lane.loss;
  return loss;
}

void TrainStep::fill_table(const float* weights, const Key& key) {
  const std::size_t grid = grid_phi_.size() ? noise_.grid : 0, stride = shape_.stride(),
                    lanes = lanes_.size();
  if (grid) {
    Stream random(key.seed, Purpose::kShift, key.member, key.step);
    grid_points(random, shape_.noise_dim, grid_points_.span());
  }
  pool_.run(lanes + tile_.prepare_parts(), [&](std::size_t i, unsigned) {
    if (i >= lanes) return tile_.prepare(weights, i - lanes, layers_);
    const std::size_t begin = cut(grid, lanes, i), end = cut(grid, lanes, i + 1);
    if (begin == end) return;
    embedding_.forward(weights, grid_points_.data() + begin * shape_.noise_dim, end - begin,
                       grid_features_.data() + begin * embedding_.feature_stride(),
                       grid_phi_.data() + begin * stride);
  });
}

void TrainStep::run_lane(Lane& lane, Worker& worker, std::size_t begin, std::size_t end,
                         const TrainingRows& rows, std::span<const std::uint32_t> batch, const float* weights,
                         const Key& key) {
  std::fill(lane.gradient.begin(), lane.gradient.end(), 0.0f);
  std::fill(lane.dtable.begin(), lane.dtable.end(), 0.0f);
  lane.loss = 0;
  const float share = 1.0f / static_cast<float>(batch.size());
  const std::size_t count = end - begin, tiles = (count + tile_samples_ - 1) / tile_samples_;
  for (std::size_t tile = 0; tile < tiles; ++tile) {
    const std::size_t first = begin + cut(count, tiles, tile),
                      samples = begin + cut(count, tiles, tile + 1) - first;
    const auto which = batch.subspan(first, samples);
    tile_.gather(rows.inputs, which, worker.space);
    const TileNoise noise = tile_noise(worker, first, samples, weights, key);
    tile_.forward(weights, layers_, {samples, noise_.draws}, noise, worker.space);
    lane.loss += tile_loss(worker, samples, rows, which, share);
    float* dtable = noise_.grid ? lane.dtable.data() : worker.dphi.data();
    tile_.backward(weights, layers_, {samples, noise_.draws}, noise, worker.space, lane.gradient.data(),
                   dtable);
    if (shape_.noisy() && !noise_.grid)
      embedding_.backward(worker.features.data(), worker.phi.data(), samples * noise_.draws, dtable,
                          lane.gradient.data());
  }
}

TileNoise TrainStep::tile_noise(Worker& worker, std::size_t first, std::size_t samples, const float* weights,
                                const Key& key) {
  if (!shape_.noisy()) return {};
  const std::size_t draws = noise_.draws, dims = shape_.noise_dim;
  for (std::size_t s = 0; s < samples; ++s) {
    Stream random(key.seed, Purpose::kNoise, key.member, key.step, static_cast<std::uint32_t>(first + s));
    if (noise_.grid) {
      choose_rows(noise_, dims, random, std::span(worker.index).subspan(s * draws, draws));
    } else {
      choose_points(noise_, dims, random, worker.points.span().subspan(s * draws * dims, draws * dims));
    }
  }
  if (noise_.grid) return {grid_phi_.data(), worker.index.data()};
  std::fill_n(worker.dphi.data(), samples * draws * shape_.stride(), 0.0f);
  embedding_.forward(weights, worker.points.data(), samples * draws, worker.features.data(),
                     worker.phi.data());
  return {worker.phi.data(), worker.index.data()};
}

double TrainStep::tile_loss(Worker& worker, std::size_t samples, const TrainingRows& rows,
                            std::span<const std::uint32_t> which, float share) {
  const std::size_t stride = samples * noise_.draws;
  double sum = 0;
  for (std::size_t s = 0; s < samples; ++s) {
    const float* truth = rows.targets.data() + which[s] * shape_.targets;
    const float* draws = worker.space.y.data() + s * noise_.draws;
    float* slopes = worker.space.dy.data() + s * noise_.draws;
    const float scale = share * rows.weights[which[s]];
    const float loss = shape_.noisy() ? score_(truth, draws, stride, scale, slopes, worker.scratch)
                                      : squared_error(truth, draws, shape_.targets, stride, scale, slopes);
    if (score_.strata)
      repel_within_strata(score_, draws, stride, noise_.grid ? grid_points_.data() : worker.points.data(),
                          worker.index.data() + s * noise_.draws, scale, slopes);
    sum += static_cast<double>(loss) * scale;
  }
  return sum;
}

/// Lane i sums its part of the table's rows over all lanes, in order, and takes them back through the
/// embedding into its own gradient.
void TrainStep::table_backward() {
  const std::size_t stride = shape_.stride(), grid = noise_.grid, lanes = lanes_.size();
  pool_.run(lanes, [&](std::size_t i, unsigned) {
    const std::size_t begin = cut(grid, lanes, i), end = cut(grid, lanes, i + 1);
    if (begin == end) return;
    float* sum = lanes_[0].dtable.data();
    for (std::size_t other = 1; other < lanes; ++other) {
      const float* more = lanes_[other].dtable.data();
      for (std::size_t at = begin * stride; at < end * stride; ++at) sum[at] += more[at];
    }
    embedding_.backward(grid_features_.data() + begin * embedding_.feature_stride(),
                        grid_phi_.data() + begin * stride, end - begin, sum + begin * stride,
                        lanes_[i].gradient.data());
  });
}

void TrainStep::update(const AdamStep& step, const AdamState& state) {
  const std::size_t blocks = layout_.size / kLane, tasks = std::min<std::size_t>(blocks, 4 * lanes_.size());
  pool_.run(tasks, [&](std::size_t i, unsigned) {
    adam(step, state, lane_gradients_, cut(blocks, tasks, i) * kLane, cut(blocks, tasks, i + 1) * kLane);
  });
}

}  // namespace mirrorball
