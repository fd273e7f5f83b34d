#include "engine/cpu/step.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/cut.h"
#include "net/noise_points.h"

namespace mirrorball::engine {
namespace {

std::size_t rows_of_tile(const net::StepNoise& noise, std::size_t rows) {
  return std::clamp<std::size_t>(kTileLines / noise.draws, 1, std::max<std::size_t>(1, rows));
}

}  // namespace

// Four tiles or more to a shard; eight shards at most.
std::size_t shard_count(std::size_t tiles) {
  return std::bit_floor(std::clamp<std::size_t>((tiles + 3) / 4, 1, 8));
}

std::size_t shard_count(const net::StepNoise& noise, std::size_t rows) {
  const std::size_t tile = rows_of_tile(noise, rows);
  return shard_count((rows + tile - 1) / tile);
}

TrainStep::TrainStep(const TrainTask& task, const net::NetLayout& layout, ThreadPool& pool)
    : task_(task),
      shape_(task.shape),
      noise_(task.noise),
      layout_(layout),
      pool_(pool),
      embedding_(shape_, layout),
      tile_(shape_, layout, task.bfloat),
      tile_rows_(rows_of_tile(noise_, task.largest_batch)),
      layers_(tile_.make_prepared()) {
  const std::size_t stride = shape_.stride(), grid = shape_.noisy() ? noise_.grid : 0;
  for (std::size_t i = 0; i < shard_count(noise_, task.largest_batch); ++i) {
    shards_.push_back({Buffer<float>(layout.size), Buffer<float>(grid * stride)});
    shard_gradients_.push_back(shards_[i].gradient.data());
  }
  losses_.resize(shards_.size());
  if (task.team->size() > 1) join_team(grid);
  first_shard_ = team_ ? team_->first_shard() : 0;
  end_shard_ = team_ ? team_->end_shard() : shards_.size();
  for (unsigned i = 0; i < pool.size(); ++i) workers_.push_back(make_worker());
  grid_points_ = Buffer<float>(grid * shape_.noise_dim);
  grid_features_ = Buffer<float>(grid * embedding_.feature_stride());
  grid_phi_ = Buffer<float>(grid * stride);
}

void TrainStep::join_team(std::size_t grid) {
  std::vector<float*> gradients, tables;
  for (Shard& shard : shards_) {
    gradients.push_back(shard.gradient.data());
    tables.push_back(shard.dtable.data());
  }
  team_ = std::make_unique<TeamSums>(*task_.team, gradients, layout_.size, tables, grid, shape_.stride());
  shard_gradients_ = {team_->summed()};
}

TrainStep::Worker TrainStep::make_worker() const {
  const std::size_t lines = tile_rows_ * noise_.draws;
  const std::size_t local = shape_.noisy() && noise_.grid == 0 ? lines : 0;
  const auto use = task_.bfloat ? TileSpace::Use::kTrainBfloat : TileSpace::Use::kTrain;
  Worker worker(TileSpace(shape_, {tile_rows_, noise_.draws}, use));
  worker.points = Buffer<float>(local * shape_.noise_dim);
  worker.features = Buffer<float>(local * embedding_.feature_stride());
  worker.phi = Buffer<float>(local * shape_.stride());
  worker.dphi = Buffer<float>(local * shape_.stride());
  worker.targets = Buffer<float>(tile_rows_ * shape_.targets);
  worker.weights = Buffer<float>(tile_rows_);
  // Without a grid each draw has its own row; with one the indices are drawn anew for every tile.
  worker.index.resize(lines);
  std::iota(worker.index.begin(), worker.index.end(), 0u);
  return worker;
}

double TrainStep::gradient(std::span<const rows::RowNumber> batch, std::uint32_t number,
                           const float* weights) {
  fill_table(weights, number);
  const std::size_t shards = shards_.size();
  pool_.run(end_shard_ - first_shard_, [&](std::size_t place, unsigned worker) {
    const std::size_t i = first_shard_ + place;
    losses_[i] = run_shard(shards_[i], workers_[worker], cut(batch.size(), shards, i),
                           cut(batch.size(), shards, i + 1), {batch, number}, weights);
  });
  if (grid_phi_.size() > 0) table_backward();
  if (team_) team_->sum(pool_, losses_);
  return std::accumulate(losses_.begin(), losses_.end(), 0.0);
}

void TrainStep::fill_table(const float* weights, std::uint32_t number) {
  const std::size_t grid = grid_phi_.size() ? noise_.grid : 0, stride = shape_.stride(),
                    shards = shards_.size();
  if (grid) {
    Stream random(task_.seed, Purpose::kShift, task_.network, number);
    net::grid_points(random, shape_.noise_dim, grid_points_.span());
  }
  pool_.run(shards + tile_.prepare_parts(), [&](std::size_t i, unsigned) {
    if (i >= shards) return tile_.prepare(weights, i - shards, layers_);
    const std::size_t begin = cut(grid, shards, i), end = cut(grid, shards, i + 1);
    if (begin == end) return;
    embedding_.forward(weights, grid_points_.data() + begin * shape_.noise_dim, end - begin,
                       grid_features_.data() + begin * embedding_.feature_stride(),
                       grid_phi_.data() + begin * stride);
  });
}

double TrainStep::run_shard(Shard& shard, Worker& worker, std::size_t begin, std::size_t end,
                            const Batch& batch, const float* weights) {
  std::fill(shard.gradient.begin(), shard.gradient.end(), 0.0f);
  std::fill(shard.dtable.begin(), shard.dtable.end(), 0.0f);
  double loss = 0;
  const float share = 1.0f / static_cast<float>(batch.rows.size());
  const std::size_t count = end - begin, tiles = (count + tile_rows_ - 1) / tile_rows_;
  for (std::size_t tile = 0; tile < tiles; ++tile) {
    const std::size_t first = begin + cut(count, tiles, tile),
                      rows = begin + cut(count, tiles, tile + 1) - first;
    const auto which = batch.rows.subspan(first, rows);
    tile_.gather(*task_.rows, which, worker.space);
    const TileNoise noise = tile_noise(worker, first, rows, batch.number, weights);
    tile_.forward(weights, layers_, {rows, noise_.draws}, noise, worker.space);
    loss += tile_loss(worker, which, share);
    float* dtable = noise_.grid ? shard.dtable.data() : worker.dphi.data();
    tile_.backward(weights, layers_, {rows, noise_.draws}, noise, worker.space, shard.gradient.data(),
                   dtable);
    if (shape_.noisy() && !noise_.grid)
      embedding_.backward(worker.features.data(), worker.phi.data(), rows * noise_.draws, dtable,
                          shard.gradient.data());
  }
  return loss;
}

TileNoise TrainStep::tile_noise(Worker& worker, std::size_t first, std::size_t rows, std::uint32_t number,
                                const float* weights) {
  if (!shape_.noisy()) return {};
  const std::size_t draws = noise_.draws, dims = shape_.noise_dim;
  for (std::size_t s = 0; s < rows; ++s) {
    Stream random(task_.seed, Purpose::kNoise, task_.network, number, static_cast<std::uint32_t>(first + s));
    if (noise_.grid) {
      net::choose_rows(noise_, dims, random, std::span(worker.index).subspan(s * draws, draws));
    } else {
      net::choose_points(noise_, dims, random, worker.points.span().subspan(s * draws * dims, draws * dims));
    }
  }
  if (noise_.grid) return {grid_phi_.data(), worker.index.data()};
  std::fill_n(worker.dphi.data(), rows * draws * shape_.stride(), 0.0f);
  embedding_.forward(weights, worker.points.data(), rows * draws, worker.features.data(), worker.phi.data());
  return {worker.phi.data(), worker.index.data()};
}

double TrainStep::tile_loss(Worker& worker, std::span<const rows::RowNumber> which, float share) {
  const std::size_t stride = which.size() * noise_.draws;
  task_.rows->gather(which, {.targets = worker.targets.data(), .weights = worker.weights.data()});
  double sum = 0;
  for (std::size_t s = 0; s < which.size(); ++s) {
    const float* truth = worker.targets.data() + s * shape_.targets;
    const float* draws = worker.space.y.data() + s * noise_.draws;
    float* slopes = worker.space.dy.data() + s * noise_.draws;
    const float scale = share * worker.weights[s];
    const float loss = shape_.noisy()
                           ? task_.loss(truth, draws, stride, scale, slopes, worker.scratch)
                           : kernels::squared_error(truth, draws, shape_.targets, stride, scale, slopes);
    if (task_.loss.strata)
      kernels::repel_within_strata(task_.loss, draws, stride,
                                   noise_.grid ? grid_points_.data() : worker.points.data(),
                                   worker.index.data() + s * noise_.draws, scale, slopes);
    sum += static_cast<double>(loss) * scale;
  }
  return sum;
}

/// Shard i sums its part of the table's rows over all shards, in order, and takes them back through the
/// embedding into its own gradient.
void TrainStep::table_backward() {
  const std::size_t stride = shape_.stride(), grid = noise_.grid, shards = shards_.size();
  if (team_) team_->collect_tables();
  pool_.run(end_shard_ - first_shard_, [&](std::size_t place, unsigned) {
    const std::size_t i = first_shard_ + place, begin = cut(grid, shards, i), end = cut(grid, shards, i + 1);
    if (begin == end) return;
    float* sum = shards_[0].dtable.data();
    for (std::size_t other = 1; other < shards; ++other) {
      const float* more = shards_[other].dtable.data();
      for (std::size_t at = begin * stride; at < end * stride; ++at) sum[at] += more[at];
    }
    embedding_.backward(grid_features_.data() + begin * embedding_.feature_stride(),
                        grid_phi_.data() + begin * stride, end - begin, sum + begin * stride,
                        shards_[i].gradient.data());
  });
}

void TrainStep::update(const kernels::AdamStep& step, const kernels::AdamState& state) {
  const std::size_t blocks = layout_.size / kPadding,
                    tasks = std::min<std::size_t>(blocks, 4 * shards_.size());
  pool_.run(tasks, [&](std::size_t i, unsigned) {
    kernels::adam(step, state, shard_gradients_, cut(blocks, tasks, i) * kPadding,
                  cut(blocks, tasks, i + 1) * kPadding);
  });
}

}  // namespace mirrorball::engine
