#pragma once

#include "kernels/gemm_cache.h"
#include "net/shape.h"

namespace mirrorball::engine {

/// From noise points to rows of the noise table, and back:
///
///   DN+    phi = tanh(Wa c(a) + ba)
///   DISCO  phi = Wa a
///
/// `points` are rows of noise_dim values, `features` rows of feature_stride() floats that backward needs
/// again.
class NoiseEmbedding {
 public:
  NoiseEmbedding(const net::NetShape& shape, const net::NetLayout& layout);

  std::size_t feature_stride() const { return feature_stride_; }

  void forward(const float* weights, const float* points, std::size_t count, float* features, float* phi);

  /// Takes dphi (which it overwrites) and adds to the gradients of Wa and ba.
  void backward(const float* features, const float* phi, std::size_t count, float* dphi, float* gradient);

 private:
  const net::NetShape& shape_;
  const net::NetLayout& layout_;
  std::size_t feature_stride_;
  kernels::GemmCache forward_, weight_gradient_;
};

}  // namespace mirrorball::engine
