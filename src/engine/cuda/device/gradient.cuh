#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "engine/cuda/device/adam.cuh"
#include "engine/cuda/device/backward.cuh"
#include "engine/cuda/device/fused.cuh"
#include "engine/cuda/device/own_noise.cuh"
#include "engine/cuda/device/pass.cuh"
#include "engine/cuda/device/table.cuh"

namespace mirrorball::cuda {

/// Lines for each part of a gradient, and the most parts there are.
constexpr std::size_t kPartLines = 256, kMostParts = 16, kMostFusedParts = 132, kFewRows = 1024;
/// Rows for each part of the first layer's gradient, rows of phi for each of the noise's, and the most parts.
constexpr std::size_t kPartRows = 32, kPartNoise = 256, kMostFrontParts = 64;
/// Blocks of a kernel of which one fills a processor.
constexpr unsigned kMostTileBlocks = 132;

/// How a step is computed: by the kernel made for the usual network, or layer by layer.
struct Way {
  int lines = 0;  ///< of a fused tile; 0: layer by layer
  int parts = 1;  ///< of the gradient of hidden layers and head
};

template <int kLines>
bool fits_fused(int device) {
  int most = 0;
  check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  if (sizeof(FusedSpace<kLines>) > static_cast<std::size_t>(most)) return false;
  check(cudaFuncSetAttribute(fused_tiles<kLines>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(sizeof(FusedSpace<kLines>))));
  return true;
}

/// Small batches have small tiles, so that more processors take part: six networks side by side have one for
/// each tile of 32 lines. Of many rows, whose other kernels fill the device, a network takes half of it.
inline Way way_of(const Net& net, const MirrorballCudaTask& task, int device) {
  const std::size_t lines = task.largest_batch * task.draws;
  const bool usual = task.bfloat && net.network == kDnPlus && net.act == kRelu && net.width == kWidth &&
                     net.layers == 2 && net.targets <= kFusedTargets && task.draws <= 128 &&
                     (task.grid > 0 || net.features == kWidth);
  const auto fused = [&](int tile) {
    const std::size_t rows = tile / task.draws, tiles = (task.largest_batch + rows - 1) / rows;
    const std::size_t most = task.largest_batch > kFewRows ? kMostFusedParts / 2 : kMostFusedParts;
    const std::size_t rounds = (tiles + most - 1) / most;  // of equal length
    return Way{tile, static_cast<int>((tiles + rounds - 1) / rounds)};
  };
  const bool large = task.draws > 64 || lines > 64 * kMostFusedParts / 2;
  const bool small = task.draws <= 32 && lines <= 32 * kMostFusedParts / 6;
  if (usual && small && fits_fused<32>(device)) return fused(32);
  if (usual && large && fits_fused<128>(device)) return fused(128);
  if (usual && task.draws <= 64 && fits_fused<64>(device)) return fused(64);
  return {0, static_cast<int>(std::clamp<std::size_t>(lines / kPartLines, 1, kMostParts))};
}

/// How many parts of the gradient there are: many where many rows or lines are summed.
inline GradientParts parts_of(const MirrorballCudaTask& task, const Way& way) {
  const auto parts = [](std::size_t count, std::size_t size) {
    return static_cast<int>(std::clamp<std::size_t>(count / size, 1, kMostFrontParts));
  };
  const std::size_t noise_rows = task.grid > 0 ? task.grid : task.largest_batch * task.draws;
  return {parts(task.largest_batch, kPartRows), parts(noise_rows, kPartNoise), way.parts};
}

/// Loss and gradient of the step under way. The gradient comes in parts, which Adam sums in their order.
class Gradient {
 public:
  Gradient(const MirrorballCudaTask& task, const Net& net, const Table& table)
      : net_(net),
        task_(task),
        table_(table),
        draws_(static_cast<int>(net_.noisy() ? task.draws : 1)),
        grid_(static_cast<int>(net_.noisy() ? task.grid : 0)),
        batch_(static_cast<int>(task.largest_batch)),
        way_(way_of(net, task, table.device)),
        parts_(parts_of(task, way_)),
        space_(net_, task.largest_batch, static_cast<std::size_t>(draws_), true, way_.lines == 0),
        gradient_(net.size * parts_.most()),
        dpsi_(task.largest_batch * net.stride),
        row_losses_(task.largest_batch) {
    const std::size_t lines = task.largest_batch * draws_;
    if (way_.lines == 0) {
      for (Memory<float>* one : {&y_, &dy_}) *one = Memory<float>(lines * net_.targets);
      for (Memory<float>* one : {&d0_, &d1_}) *one = Memory<float>(lines * net_.stride);
    } else if (grid_ > kFusedGrid) {
      d0_ = Memory<float>(lines * net_.stride);
    } else {
      tables_ = Memory<float>(static_cast<std::size_t>(way_.parts) * grid_ * net_.stride);
    }
    if (net_.noisy()) make_noise(lines);
    check(cudaFuncSetAttribute(wave_gradient, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(std::max<std::size_t>(48 * 1024, wave_space(net_)))));
    for (cudaEvent_t* event : {&forked_, &joined_})
      check(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
  }
  Gradient(const Gradient&) = delete;
  Gradient& operator=(const Gradient&) = delete;
  ~Gradient() {
    cudaEventDestroy(forked_);
    cudaEventDestroy(joined_);
  }

  const float* data() const { return gradient_.data(); }
  const GradientParts& parts() const { return parts_; }
  const double* row_losses() const { return row_losses_.data(); }

  /// Queues all of it; `batch` are the rows of the step.
  void launch(cudaStream_t stream, const float* weights, const Now* now, const std::uint32_t* batch) {
    stream_ = stream;
    weights_ = weights;
    now_ = now;
    which_ = batch;
    if (way_.lines > 0) return fused();
    task_.bfloat ? by_layers<true>() : by_layers<false>();
  }

 private:
  Rows rows() const { return {now_, 0}; }
  /// Whether every draw has noise of its own, in a fused step.
  bool own_noise() const { return way_.lines > 0 && grid_ == 0; }
  /// The rows of the noise table, or of all draws where each has its own.
  Rows noise_rows() const { return grid_ > 0 ? Rows{nullptr, 1} : rows(); }
  int noise_lines() const { return grid_ > 0 ? grid_ : draws_; }
  Inputs inputs() const { return {table_.numbers.data(), table_.codes.data(), which_}; }
  LineNoise noise() const { return {phi_.data(), grid_ > 0 ? index_.data() : own_rows_.data(), draws_}; }
  Loss loss() const {
    return {draws_, net_.targets, task_.alpha, task_.pair_weight, task_.strata != 0, net_.noisy()};
  }
  LossArrays loss_arrays() const {
    return {table_.targets.data(), table_.weights.data(), which_, y_.data(), dy_.data(), points_.data(),
            index_.data(),         row_losses_.data()};
  }

  void make_noise(std::size_t lines) {
    const std::size_t rows = grid_ > 0 ? static_cast<std::size_t>(grid_) : lines;
    points_ = Memory<float>(rows * net_.dims);
    index_ = Memory<std::uint32_t>(grid_ > 0 ? lines : 0);
    for (Memory<float>* one : {&phi_, &phi_slope_}) *one = Memory<float>(rows * net_.stride);
    if (own_noise()) {
      for (Memory<Bfloat>* one : {&own_features_, &own_dphi_}) *one = Memory<Bfloat>(rows * kWidth);
      check(
          cudaFuncSetAttribute(embed_lines, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(SplitLayer)));
    } else {
      features_ = Memory<float>(rows * net_.features);
      dphi_ = Memory<float>(rows * net_.stride);
    }
    if (grid_ == 0 && !own_noise()) {  // line i uses row i
      std::vector<std::uint32_t> numbers(lines);
      std::iota(numbers.begin(), numbers.end(), 0u);
      own_rows_ = Memory<std::uint32_t>(lines);
      own_rows_.fill(numbers.data(), lines);
    }
    if (!task_.lattice) return;
    lattice_ = Memory<double>(net_.dims);
    lattice_.fill(task_.lattice, net_.dims);
  }

  /// Runs `aside` beside `body`: two chains of kernels that do not need each other.
  template <class Aside, class Body>
  void beside(Aside&& aside, Body&& body) {
    check(cudaEventRecord(forked_, stream_));
    check(cudaStreamWaitEvent(side_, forked_, 0));
    aside(static_cast<cudaStream_t>(side_));
    check(cudaEventRecord(joined_, side_));
    body();
    check(cudaStreamWaitEvent(stream_, joined_, 0));
  }

  void choose_and_embed(cudaStream_t stream) {
    constexpr unsigned kBlock = 128;
    const NoisePlan plan{task_.seed, task_.network,         draws_,         grid_,
                         net_.dims,  task_.stratified != 0, lattice_.data()};
    const unsigned rows_blocks = blocks_for(batch_, kBlock);
    if (grid_ > 0) {
      make_table<<<grid_ + rows_blocks, kBlock, 0, stream>>>(net_, plan, now_, points_.data(),
                                                             features_.data(), index_.data());
      return embed_features(stream, net_, weights_, {nullptr, 1}, 1, grid_, features_.data(), phi_.data(),
                            phi_slope_.data());
    }
    choose_points<<<batch_, kBlock, 0, stream>>>(plan, now_, points_.data());
    if (own_noise()) {
      const unsigned blocks =
          blocks_for(static_cast<std::size_t>(batch_) * draws_, kTilesWarps * kTilesLines);
      embed_lines<<<std::min(blocks, kMostTileBlocks), kTilesThreads, sizeof(SplitLayer), stream>>>(
          net_, rows(), draws_, weights_,
          {points_.data(), own_features_.data(), phi_.data(), phi_slope_.data()});
      return;
    }
    embed_noise(stream, net_, weights_, rows(), batch_, draws_, points_.data(), features_.data(), phi_.data(),
                phi_slope_.data());
  }

  void fused() {
    beside([&](cudaStream_t side) { choose_and_embed(side); },
           [&] { first_layer(stream_, net_, weights_, rows(), inputs(), space_); });
    const bool large_table = grid_ > kFusedGrid;
    const FusedArrays arrays{weights_,          space_.psi.data(), phi_.data(),      index_.data(),
                             loss_arrays(),     dpsi_.data(),      tables_.data(),   d0_.data(),
                             phi_slope_.data(), own_dphi_.data(),  gradient_.data(), grid_};
    if (way_.lines == 32) launch_tiles<32>(arrays);
    if (way_.lines == 64) launch_tiles<64>(arrays);
    if (way_.lines == 128) launch_tiles<128>(arrays);
    beside(
        [&](cudaStream_t side) {
          if (own_noise()) {
            embed_gradient<<<parts_.noise, kGradientThreads, 0, side>>>(
                net_, rows(), draws_, own_features_.data(), own_dphi_.data(), gradient_.data());
          } else if (large_table) {
            table_backward(side, d0_.data());
          } else {
            const int count = grid_ * net_.stride;
            sum_tables<<<blocks_for(count, 128), 128, 0, side>>>(tables_.data(), way_.parts, count,
                                                                 phi_slope_.data(), dphi_.data());
          }
          if (!own_noise()) noise_gradient(side);
          input_gradient(side, dpsi_.data());
        },
        [&] { wave_backward(dpsi_.data()); });
  }

  template <int kLines>
  void launch_tiles(const FusedArrays& arrays) {
    fused_tiles<kLines>
        <<<way_.parts, kFusedThreads, sizeof(FusedSpace<kLines>), stream_>>>(net_, loss(), rows(), arrays);
  }

  template <bool kRound>
  void by_layers() {
    if (net_.noisy()) choose_and_embed(stream_);
    const auto targets = static_cast<std::size_t>(net_.targets);
    forward_pass<kRound>(stream_, net_, weights_, rows(), inputs(), noise(), space_,
                         {y_.data(), draws_ * targets, 1, targets});
    const int loss_threads = std::clamp((draws_ + 31) / 32 * 32, 32, 256);
    row_loss<<<batch_, loss_threads, 0, stream_>>>(loss(), rows(), loss_arrays());
    const float* d = hidden_backward<kRound>();
    if (net_.noisy()) {
      merge_backward<<<looping_blocks(static_cast<std::size_t>(batch_) * net_.width), kThreads, 0, stream_>>>(
          net_, rows(), noise(), d, space_.psi_slope.data(), dpsi_.data());
      table_backward(stream_, d);
      noise_gradient(stream_);
    }
    const float* dpsi = net_.noisy() ? dpsi_.data() : d;
    input_gradient(stream_, dpsi);
    wave_backward(dpsi);
  }

  /// Head and hidden layers; gives the gradient of u.
  template <bool kRound>
  const float* hidden_backward() {
    float *d = d0_.data(), *next = d1_.data();
    const std::size_t lines = static_cast<std::size_t>(batch_) * draws_;
    head_backward<<<looping_blocks(lines * net_.width), kThreads, 0, stream_>>>(
        net_, rows(), draws_, weights_, dy_.data(), space_.slope[net_.layers].data(), d);
    head_gradient<<<dim3(blocks_for(net_.width, 32), way_.parts), kHeadThreads, 0, stream_>>>(
        net_, rows(), draws_, dy_.data(), space_.at[net_.layers], gradient_.data());
    for (int layer = net_.layers; layer-- > 0;) {
      weight_gradient<kRound>(stream_, way_.parts, rows(), draws_, net_.width, net_.stride, space_.at[layer],
                              d, net_.hidden_weight(layer), gradient_.data() + net_.hidden_bias(layer));
      const bool slopes = layer > 0 || net_.network != kDnPlus;
      product<true, kRound>
          <<<dim3(blocks_for(lines, kTile), blocks_for(net_.width, kTile)), kTileThreads, 0, stream_>>>(
              ProductShape{rows(), draws_, net_.width, net_.width, net_.stride, net_.stride}, d,
              weights_ + net_.hidden_weight(layer),
              FinishBack{net_.stride, slopes ? space_.slope[layer].data() : nullptr, next});
      std::swap(d, next);
    }
    return d;
  }

  template <bool kRound>
  void weight_gradient(cudaStream_t stream, int parts, Rows of, int lines, int in, int x_stride,
                       const float* x, const float* d, std::size_t weight, float* bias) {
    const GradientShape shape{of, lines, in, net_.width, x_stride, net_.stride, net_.stride, net_.size};
    gradient_product<kRound>
        <<<dim3(blocks_for(in, kTile), blocks_for(net_.width, kTile), parts), kTileThreads, 0, stream>>>(
            shape, x, d, gradient_.data() + weight, bias);
  }

  void table_backward(cudaStream_t stream, const float* du) {
    if (grid_ > 0)
      table_gradient<<<grid_, kNoiseThreads, 0, stream>>>(net_, rows(), {phi_.data(), index_.data(), draws_},
                                                          du, space_.psi.data(), phi_slope_.data(),
                                                          dphi_.data());
    else
      own_noise_gradient<<<looping_blocks(static_cast<std::size_t>(batch_) * draws_ * net_.width), kThreads,
                           0, stream>>>(net_, rows(), draws_, du, space_.psi.data(), phi_slope_.data(),
                                        dphi_.data());
  }

  void noise_gradient(cudaStream_t stream) {
    weight_gradient<false>(stream, parts_.noise, noise_rows(), noise_lines(), net_.features, net_.features,
                           features_.data(), dphi_.data(), net_.noise_weight,
                           net_.network == kDnPlus ? gradient_.data() + net_.noise_bias : nullptr);
  }

  void input_gradient(cudaStream_t stream, const float* dpsi) {
    weight_gradient<false>(stream, parts_.first, rows(), 1, net_.inputs, net_.inputs, space_.inputs.data(),
                           dpsi, net_.input_weight, gradient_.data() + net_.input_bias);
    if (net_.codes == 0) return;
    // The rows that no code of this batch picks have no gradient.
    const std::size_t floats = static_cast<std::size_t>(net_.learned_rows) * net_.stride;
    check(cudaMemsetAsync(gradient_.data() + net_.learned, 0, floats * sizeof(float), stream));
    learned_gradient<<<batch_ * net_.codes, 128, 0, stream>>>(net_, rows(), inputs(), dpsi, gradient_.data());
  }

  void wave_backward(const float* dpsi) {
    if (net_.waves == 0) return;
    wave_gradient<<<dim3(net_.numbers, parts_.first), kWaveThreads, wave_space(net_), stream_>>>(
        net_, rows(), inputs(), weights_, space_.waves.data(), space_.inputs.data(), dpsi, wave_rows(net_),
        gradient_.data());
  }

  Net net_;
  MirrorballCudaTask task_;
  const Table& table_;
  int draws_, grid_, batch_;
  Way way_;
  GradientParts parts_;
  Space space_;
  Memory<float> gradient_, dpsi_;
  Memory<double> row_losses_;
  Memory<float> y_, dy_, d0_, d1_, tables_;
  Memory<float> points_, features_, phi_, phi_slope_, dphi_;
  Memory<std::uint32_t> index_, own_rows_;
  Memory<Bfloat> own_features_, own_dphi_;
  Memory<double> lattice_;
  Stream side_;
  cudaEvent_t forked_ = nullptr, joined_ = nullptr;
  // Of the launch under way.
  cudaStream_t stream_ = nullptr;
  const float* weights_ = nullptr;
  const Now* now_ = nullptr;
  const std::uint32_t* which_ = nullptr;
};

}  // namespace mirrorball::cuda
