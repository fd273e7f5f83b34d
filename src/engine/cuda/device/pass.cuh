#pragma once

#include <algorithm>
#include <vector>

#include "engine/cuda/device/forward.cuh"
#include "engine/cuda/device/noise.cuh"
#include "engine/cuda/device/product.cuh"
#include "engine/cuda/device/tiles.cuh"

/// A pass forward through a network: layer by layer for any shape of it, or by tiles.
namespace mirrorball::cuda {

constexpr int kThreads = 256;
/// Blocks of kernels whose threads loop: enough for every processor of a large GPU.
constexpr unsigned kManyBlocks = 1024;

inline unsigned looping_blocks(std::size_t count) {
  const unsigned wanted = blocks_for(count, kThreads);
  return wanted < kManyBlocks ? wanted : kManyBlocks;
}

/// Memory for `rows` rows with `draws` draws each: of the first layer what the way back needs where it
/// `trains`, of the hidden layers where it `keeps` them. Without draws there is no memory for hidden layers.
struct Space {
  Space(const Net& net, std::size_t most_rows, std::size_t row_draws, bool trains, bool keeps)
      : rows(most_rows),
        draws(row_draws),
        waves(trains ? most_rows * net.numbers * 2 * net.waves : 0),
        inputs(most_rows * net.inputs),
        psi(most_rows * net.stride),
        psi_slope(keeps ? most_rows * net.stride : 0) {
    const std::size_t lines = rows * draws * net.stride;
    for (int layer = 0; layer <= net.layers; ++layer) {
      h.emplace_back(keeps || layer < 2 ? lines : 0);
      slope.emplace_back(keeps ? lines : 0);
    }
    if (!keeps)
      for (int layer = 0; layer <= net.layers; ++layer) at.push_back(h[layer % 2].data());
    else
      for (const Memory<float>& one : h) at.push_back(one.data());
    constexpr std::size_t kUsual = 64 * 1024;  // the same for all networks that train side by side
    check(cudaFuncSetAttribute(make_inputs, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(std::max(kUsual, inputs_space(net)))));
  }

  std::size_t rows, draws;
  Memory<float> waves, inputs, psi, psi_slope;
  std::vector<Memory<float>> h, slope;
  std::vector<float*> at;  ///< where h[layer] is; drawing goes to and fro between two
};

/// phi of the features of `points_per_row` noise points for each row; `slope` may be null.
inline void embed_features(cudaStream_t stream, const Net& net, const float* weights, Rows rows,
                           int most_rows, int points_per_row, const float* features, float* phi,
                           float* slope) {
  const std::size_t count = static_cast<std::size_t>(most_rows) * points_per_row;
  const ProductShape shape{rows, points_per_row, net.features, net.width, net.features, net.stride};
  const bool dnplus = net.network == kDnPlus;
  product<false, false>
      <<<dim3(blocks_for(count, kTile), blocks_for(net.width, kTile)), kTileThreads, 0, stream>>>(
          shape, features, weights + net.noise_weight,
          FinishLayer{dnplus ? kTanh : kIdentity, net.stride, dnplus ? weights + net.noise_bias : nullptr,
                      phi, slope});
}

/// The same from the points themselves.
inline void embed_noise(cudaStream_t stream, const Net& net, const float* weights, Rows rows, int most_rows,
                        int points_per_row, const float* points, float* features, float* phi, float* slope) {
  const std::size_t values = static_cast<std::size_t>(most_rows) * points_per_row * net.features;
  noise_features<<<looping_blocks(values), kThreads, 0, stream>>>(net, rows, points_per_row, points,
                                                                  features);
  embed_features(stream, net, weights, rows, most_rows, points_per_row, features, phi, slope);
}

/// The first layer, for every row once.
inline void first_layer(cudaStream_t stream, const Net& net, const float* weights, Rows rows, Inputs inputs,
                        Space& space) {
  if (net.inputs > 0) {
    const dim3 blocks(blocks_for(space.rows, kInputRows), blocks_for(net.numbers, wave_group(net)));
    make_inputs<<<blocks, kInputThreads, inputs_space(net), stream>>>(
        net, rows, inputs, weights, space.waves.data(), space.inputs.data());
  }
  const bool apart = net.noisy() || space.draws == 0;
  float* psi = apart ? space.psi.data() : space.at[0];
  float* slope = apart ? space.psi_slope.data() : space.slope[0].data();
  product<false, false>
      <<<dim3(blocks_for(space.rows, kTile), blocks_for(net.width, kTile)), kTileThreads, 0, stream>>>(
          ProductShape{rows, 1, net.inputs, net.width, net.inputs, net.stride}, space.inputs.data(),
          weights + net.input_weight, FinishPsi{net, inputs, weights, psi, slope});
}

template <bool kRound>
void hidden_layers(cudaStream_t stream, const Net& net, const float* weights, Rows rows, Space& space) {
  const int draws = static_cast<int>(space.draws);
  for (int layer = 0; layer < net.layers; ++layer)
    product<false, kRound>
        <<<dim3(blocks_for(space.rows * space.draws, kTile), blocks_for(net.width, kTile)), kTileThreads, 0,
           stream>>>(ProductShape{rows, draws, net.width, net.width, net.stride, net.stride}, space.at[layer],
                     weights + net.hidden_weight(layer),
                     FinishLayer{net.act, net.stride, weights + net.hidden_bias(layer), space.at[layer + 1],
                                 space.slope[layer + 1].data()});
}

/// Draws of the rows, with noise that is embedded already.
template <bool kRound>
void forward_pass(cudaStream_t stream, const Net& net, const float* weights, Rows rows, Inputs inputs,
                  LineNoise noise, Space& space, DrawPlaces to) {
  first_layer(stream, net, weights, rows, inputs, space);
  if (net.noisy())
    merge<<<looping_blocks(space.rows * space.draws * net.width), kThreads, 0, stream>>>(
        net, rows, noise, space.psi.data(), space.at[0], space.slope[0].data());
  hidden_layers<kRound>(stream, net, weights, rows, space);
  head<<<looping_blocks(space.rows * space.draws * 32), kThreads, 0, stream>>>(
      net, rows, static_cast<int>(space.draws), weights, space.at[net.layers], to);
}

/// Lines (rows x draws) that go through a network together where nothing is kept for the way back.
constexpr std::size_t kMostLines = 1 << 16, kMostTiledLines = 1 << 20;

/// Draws where nothing is kept for the way back: by tiles where the network has their width and its weights
/// fit into shared memory, else layer by layer.
class Sampling {
 public:
  Sampling(const Net& net, int device, std::size_t most_rows, std::size_t most_draws)
      : net_(net),
        processors_(processors_for_tiles(net, device)),
        space_(net, most_rows, processors_ > 0 ? 0 : most_draws, false, false) {}

  /// Rows that may go through together.
  static std::size_t most_rows(const Net& net, int device, std::size_t draws) {
    const std::size_t lines = processors_for_tiles(net, device) > 0 ? kMostTiledLines : kMostLines;
    return std::max<std::size_t>(1, lines / std::max<std::size_t>(1, draws));
  }

  void draw(cudaStream_t stream, const float* weights, int rows, Inputs inputs, const float* phi,
            std::size_t draws, DrawPlaces to) {
    if (processors_ == 0) {
      space_.draws = draws;
      return forward_pass<false>(stream, net_, weights, {nullptr, rows}, inputs,
                                 {phi, nullptr, static_cast<int>(draws)}, space_, to);
    }
    first_layer(stream, net_, weights, {nullptr, rows}, inputs, space_);
    const TileLines lines{rows * static_cast<int>(draws), static_cast<int>(draws)};
    const unsigned blocks = std::min(processors_, blocks_for(lines.count, kTilesWarps * kTilesLines));
    (net_.act == kRelu ? draw_tiles<true>
                       : draw_tiles<false>)<<<blocks, kTilesThreads, tiles_space(net_), stream>>>(
        net_, lines, weights, space_.psi.data(), phi, to);
  }

 private:
  /// Of the device; 0 where tiles do not serve this network.
  static unsigned processors_for_tiles(const Net& net, int device) {
    int most = 0, processors = 0;
    check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    if (net.width != kWidth || net.layers == 0 || tiles_space(net) > static_cast<std::size_t>(most)) return 0;
    for (const auto kernel : {draw_tiles<true>, draw_tiles<false>})
      check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
    return static_cast<unsigned>(processors);
  }

  Net net_;
  unsigned processors_;
  Space space_;
};

}  // namespace mirrorball::cuda
