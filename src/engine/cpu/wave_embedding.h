#pragma once

#include "base/buffer.h"
#include "kernels/gemm_cache.h"
#include "net/shape.h"

namespace mirrorball::engine {

/// Memory for the embedded numbers of one tile.
struct WaveSpace {
  WaveSpace() = default;
  WaveSpace(const net::NetShape& shape, std::size_t rows, bool training);

  Buffer<float> waves, mixed,
      inputs;  ///< per row: 2 waves a number; the mixtures; what the first layer sees
  Buffer<float> dwaves, dmixed;
};

/// Weights in the forms the way back takes them.
struct PreparedWaves {
  Buffer<float> mix;    ///< per number, [outputs][waves]
  Buffer<float> input;  ///< the first layer's weights of the mixtures, [width][mixtures]
};

/// Learned embeddings of the numbers: each number's waves are mixed into a few values, which stand beside the
/// number in the first layer's input:
///
///   m[j] = relu(waves(x[j]) W[j] + b[j]),   inputs = x, m[0], m[1], …
///
/// The waves' amplitudes are constants of a network: they have no gradient.
class WaveEmbedding {
 public:
  WaveEmbedding(const net::NetShape& shape, const net::NetLayout& layout);

  /// Fills space.inputs from x, whose rows are padded(numbers) floats apart.
  void forward(const float* weights, const float* x, std::size_t rows, WaveSpace& space);

  /// From the gradient of the first layer's pre-activation back to the embedding's own parameters.
  void backward(const PreparedWaves& prepared, const float* x, const float* dpsi, std::size_t rows,
                WaveSpace& space, float* gradient);

  PreparedWaves make_prepared() const;
  void prepare(const float* weights, PreparedWaves& prepared) const;

 private:
  std::size_t mixtures() const { return shape_.numbers * shape_.wave_outputs; }

  const net::NetShape& shape_;
  const net::NetLayout& layout_;
  std::size_t mixed_stride_;
  kernels::GemmCache mix_, mix_gradient_, mix_back_, input_back_;
};

}  // namespace mirrorball::engine
