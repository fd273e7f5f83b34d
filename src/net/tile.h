#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/buffer.h"
#include "encode/encoder.h"
#include "kernels/gemm_cache.h"
#include "net/shape.h"

namespace mirrorball {

/// Rows of a tile, samples times draws, aimed at: at width 128 everything a tile touches then fits a core's
/// L2 cache.
constexpr std::size_t kTileRows = 128;

/// Some samples, each with the same number of draws.
struct TileSize {
  std::size_t samples, draws;
  std::size_t rows() const { return samples * draws; }
};

/// The noise of one tile: draw n of sample s uses row index[s * draws + n] of `table`.
struct TileNoise {
  const float* table = nullptr;
  const std::uint32_t* index = nullptr;
};

/// Memory for one tile, owned by one worker. `y` and `dy` are runs of samples * draws values, one per target.
class TileSpace {
 public:
  TileSpace(const NetShape& shape, TileSize largest, bool training);

  Buffer<float> x, psi, dpsi, psi_slope, y, dy;
  Buffer<std::int32_t> codes;
  std::vector<Buffer<float>> h, slope;  ///< h[0] is u; slopes only where the activation keeps them
  Buffer<float> d0, d1;
};

/// The network on a tile: forward, and all the way back.
class TileNet {
 public:
  TileNet(const NetShape& shape, const NetLayout& layout);

  /// Copies the rows into space.x and space.codes.
  void gather(const EncodedRows& rows, std::span<const std::uint32_t> which, TileSpace& space) const;

  /// Fills space.y for the gathered rows. `keep` stores what backward needs.
  void forward(const float* weights, TileSize size, const TileNoise& noise, bool keep, TileSpace& space);

  /// From space.dy back: adds to `gradient` and, for networks with noise, to `dtable`. `transposed` holds the
  /// hidden layers' weights transposed, one after the other.
  void backward(const float* weights, const float* transposed, TileSize size, const TileNoise& noise,
                TileSpace& space, float* gradient, float* dtable);

  /// Floats of `transposed`, and how one layer gets there.
  std::size_t transposed_size() const { return shape_.layers * shape_.stride() * shape_.stride(); }
  void transpose_layer(const float* weights, std::size_t layer, float* transposed) const;

 private:
  void input_forward(const float* weights, TileSize size, const TileNoise& noise, bool keep,
                     TileSpace& space);
  void input_backward(std::size_t samples, TileSpace& space, float* gradient);
  Act input_act() const { return shape_.activate_input ? shape_.act : Act::kIdentity; }

  const NetShape& shape_;
  const NetLayout& layout_;
  GemmCache input_, hidden_, input_gradient_, hidden_gradient_;
};

}  // namespace mirrorball
