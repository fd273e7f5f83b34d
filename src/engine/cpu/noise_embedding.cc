#include "engine/cpu/noise_embedding.h"

#include <algorithm>

#include "kernels/cosine.h"

namespace mirrorball::engine {

NoiseEmbedding::NoiseEmbedding(const net::NetShape& shape, const net::NetLayout& layout)
    : shape_(shape),
      layout_(layout),
      feature_stride_(padded(shape.noise_features())),
      forward_([=, in = shape.noise_features(), out = shape.stride(), from = feature_stride_](
                   std::size_t rows) { return kernels::Gemm::forward(rows, in, out, from, out, out); }),
      weight_gradient_(
          [=, in = shape.noise_features(), out = shape.stride(), from = feature_stride_](std::size_t rows) {
            return kernels::Gemm::weight_gradient(rows, in, out, from, out, out);
          }) {}

void NoiseEmbedding::forward(const float* weights, const float* points, std::size_t count, float* features,
                             float* phi) {
  const std::size_t dims = shape_.noise_dim;
  if (shape_.network == Network::kDnPlus) {
    kernels::cosine_features(points, count, dims, shape_.cosines_per_dim(), features, feature_stride_);
  } else {
    for (std::size_t i = 0; i < count; ++i)
      std::copy_n(points + i * dims, dims, features + i * feature_stride_);
  }
  forward_[count](features, layout_.noise_weight.in(weights), phi);
  if (shape_.network == Network::kDnPlus)
    kernels::activate(kernels::Act::kTanh, phi, layout_.noise_bias.in(weights), nullptr, count,
                      shape_.stride());
}

void NoiseEmbedding::backward(const float* features, const float* phi, std::size_t count, float* dphi,
                              float* gradient) {
  if (shape_.network == Network::kDnPlus)
    kernels::activate_backward(kernels::Act::kTanh, dphi, phi, nullptr, layout_.noise_bias.in(gradient),
                               count, shape_.stride());
  weight_gradient_[count](features, dphi, layout_.noise_weight.in(gradient));
}

}  // namespace mirrorball::engine
