#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/buffer.h"
#include "engine/cpu/wave_embedding.h"
#include "kernels/bfloat.h"
#include "kernels/gemm_cache.h"
#include "net/shape.h"
#include "rows/row_store.h"

namespace mirrorball::engine {

/// Lines of a tile, aimed at: at width 128 everything a tile touches then fits a core's L2 cache.
constexpr std::size_t kTileLines = 128;

/// Some rows, each with the same number of draws. A line is one draw of one row: a row of the tile's
/// matrices.
struct TileSize {
  std::size_t rows, draws;
  std::size_t lines() const { return rows * draws; }
};

/// The noise of one tile: draw n of row s uses row index[s * draws + n] of `table`.
struct TileNoise {
  const float* table = nullptr;
  const std::uint32_t* index = nullptr;
};

/// Memory for one tile, owned by one worker. `y` and `dy` are runs of rows * draws values, one per target.
class TileSpace {
 public:
  /// What a tile is for: drawing, or training with one of two kinds of products.
  enum class Use { kDraw, kTrain, kTrainBfloat };
  TileSpace(const net::NetShape& shape, TileSize largest, Use use);

  Buffer<float> x, psi, dpsi, psi_slope, y, dy;
  Buffer<std::int32_t> codes;
  WaveSpace wave;
  Buffer<std::uint32_t> units;          ///< of the first hidden layer that are not 0
  Buffer<float> unit_weights;           ///< and their weights
  std::vector<Buffer<float>> h, slope;  ///< h[0] is u; slopes only where the activation keeps them
  Buffer<float> d0, d1;
  Buffer<kernels::Bfloat> rounded;                ///< left factor of a forward product
  Buffer<kernels::BfloatPair> transposed, pairs;  ///< factors of a weight gradient
};

/// Weights in the forms a step's products take them; those of the hidden layers one after the other.
struct PreparedLayers {
  PreparedWaves waves;
  Buffer<float> transposed;
  Buffer<kernels::BfloatPair> pairs, transposed_pairs;  ///< with products of bfloats
};

/// The network on a tile: forward, and all the way back.
class TileNet {
 public:
  TileNet(const net::NetShape& shape, const net::NetLayout& layout, bool bfloat = false);

  /// Copies the rows into space.x and space.codes.
  void gather(const rows::RowStore& store, std::span<const rows::RowNumber> which, TileSpace& space) const;

  /// Fills space.y for the gathered lines, and keeps nothing else.
  void draw(const float* weights, TileSize size, const TileNoise& noise, TileSpace& space);

  /// Training: forward fills space.y and keeps what backward needs. Backward starts from space.dy and adds to
  /// `gradient` and, for networks with noise, to `dtable`.
  void forward(const float* weights, const PreparedLayers& layers, TileSize size, const TileNoise& noise,
               TileSpace& space);
  void backward(const float* weights, const PreparedLayers& layers, TileSize size, const TileNoise& noise,
                TileSpace& space, float* gradient, float* dtable);

  /// Prepared anew for every step, in `prepare_parts` independent parts.
  PreparedLayers make_prepared() const;
  std::size_t prepare_parts() const { return shape_.layers + 1; }
  void prepare(const float* weights, std::size_t part, PreparedLayers& layers) const;

 private:
  void hidden_forward(const float* weights, const PreparedLayers& layers, std::size_t layer,
                      std::size_t lines, const float* from, float* to, TileSpace& space);
  void hidden_backward(const PreparedLayers& layers, std::size_t layer, std::size_t lines, const float* h,
                       const float* d, float* gradient, float* next, TileSpace& space);
  void psi_forward(const float* weights, std::size_t rows, TileSpace& space);
  bool leaves_out_units(TileSize size) const;
  void active_forward(const float* weights, TileSize size, const TileNoise& noise, float* to,
                      TileSpace& space);
  void input_forward(const float* weights, TileSize size, const TileNoise& noise, bool keep,
                     TileSpace& space);
  void input_backward(const PreparedLayers& layers, std::size_t rows, TileSpace& space, float* gradient);
  /// What the first layer's weights act on.
  const float* inputs(const TileSpace& space) const {
    return shape_.waves > 0 ? space.wave.inputs.data() : space.x.data();
  }
  kernels::Act input_act() const { return shape_.activate_input ? shape_.act : kernels::Act::kIdentity; }

  const net::NetShape& shape_;
  const net::NetLayout& layout_;
  bool bfloat_;
  WaveEmbedding wave_;
  kernels::GemmCache input_, hidden_, input_gradient_, hidden_gradient_;
  kernels::ProductCache<kernels::Gemm, std::pair<std::size_t, std::size_t>> active_;  ///< by lines and units
  kernels::ProductCache<kernels::BfloatGemm> bfloat_hidden_, bfloat_gradient_;
};

}  // namespace mirrorball::engine
