#include "net/tile.h"

#include <algorithm>

#include "kernels/head.h"
#include "kernels/merge.h"

namespace mirrorball {

TileSpace::TileSpace(const NetShape& shape, TileSize largest, bool training) {
  const std::size_t max_samples = largest.samples, rows = largest.rows(), stride = shape.stride();
  const bool slopes = training && keeps_derivative(shape.act);
  x = Buffer<float>(max_samples * padded(shape.numbers));
  codes = Buffer<std::int32_t>(max_samples * shape.codes);
  psi = Buffer<float>(max_samples * stride);
  y = Buffer<float>(rows * shape.targets + kLane);
  for (std::size_t layer = 0; layer <= shape.layers; ++layer) {
    h.emplace_back(training || layer < 2 ? rows * stride : 0);
    slope.emplace_back(slopes ? rows * stride : 0);
  }
  if (!training) return;
  dpsi = Buffer<float>(max_samples * stride);
  psi_slope = Buffer<float>(slopes ? max_samples * stride : 0);
  dy = Buffer<float>(rows * shape.targets + kLane);
  d0 = Buffer<float>(rows * stride);
  d1 = Buffer<float>(rows * stride);
}

TileNet::TileNet(const NetShape& shape, const NetLayout& layout)
    : shape_(shape),
      layout_(layout),
      input_([in = shape.numbers, out = shape.stride()](std::size_t rows) {
        return Gemm::forward(rows, in, out, padded(in), out, out);
      }),
      hidden_([n = shape.stride(), in = shape.width](std::size_t rows) {
        return Gemm::forward(rows, in, n, n, n, n);
      }),
      input_gradient_([in = shape.numbers, out = shape.stride()](std::size_t rows) {
        return Gemm::weight_gradient(rows, in, out, padded(in), out, out);
      }),
      hidden_gradient_([n = shape.stride(), in = shape.width](std::size_t rows) {
        return Gemm::weight_gradient(rows, in, n, n, n, n);
      }) {}

void TileNet::gather(const EncodedRows& rows, std::span<const std::uint32_t> which, TileSpace& space) const {
  const std::size_t stride = padded(shape_.numbers);
  for (std::size_t s = 0; s < which.size(); ++s) {
    std::copy_n(rows.numbers.data() + which[s] * shape_.numbers, shape_.numbers, space.x.data() + s * stride);
    std::copy_n(rows.codes.data() + which[s] * shape_.codes, shape_.codes,
                space.codes.data() + s * shape_.codes);
  }
}

void TileNet::input_forward(const float* weights, TileSize size, const TileNoise& noise, bool keep,
                            TileSpace& space) {
  const std::size_t stride = shape_.stride();
  float* psi = shape_.noisy() ? space.psi.data() : space.h[0].data();
  if (shape_.numbers > 0) {
    input_[size.samples](space.x.data(), layout_.input_weight.in(weights), psi);
  } else {
    std::fill_n(psi, size.samples * stride, 0.0f);
  }
  for (std::size_t i = 0; i < size.samples * shape_.codes; ++i) {
    if (space.codes[i] == EncodedRows::kNothing) continue;
    const float* row = layout_.learned_rows.in(weights) + static_cast<std::size_t>(space.codes[i]) * stride;
    float* to = psi + i / shape_.codes * stride;
    for (std::size_t j = 0; j < stride; ++j) to[j] += row[j];
  }
  const float* bias = layout_.input_bias.in(weights);
  const MergeShape shape{size.samples, size.draws, stride, noise.index};
  switch (shape_.network) {
    case Network::kDnPlus:
      activate(input_act(), psi, bias, keep ? space.psi_slope.data() : nullptr, size.samples, stride);
      return merge(Merge::kMultiply, shape, psi, noise.table, space.h[0].data());
    case Network::kDisco:
      merge(Merge::kAdd, shape, psi, noise.table, space.h[0].data());
      return activate(shape_.act, space.h[0].data(), bias, keep ? space.slope[0].data() : nullptr,
                      size.rows(), stride);
    case Network::kPoint:
      return activate(shape_.act, psi, bias, keep ? space.slope[0].data() : nullptr, size.samples, stride);
  }
}

void TileNet::forward(const float* weights, TileSize size, const TileNoise& noise, bool keep,
                      TileSpace& space) {
  input_forward(weights, size, noise, keep, space);
  const std::size_t rows = size.rows(), stride = shape_.stride();
  const Gemm product = hidden_[rows];
  // Without a way back two buffers in turn are enough.
  const auto at = [&](std::size_t layer) { return space.h[keep ? layer : layer % 2].data(); };
  for (std::size_t layer = 0; layer < shape_.layers; ++layer) {
    product(at(layer), layout_.hidden_weight[layer].in(weights), at(layer + 1));
    activate(shape_.act, at(layer + 1), layout_.hidden_bias[layer].in(weights),
             keep ? space.slope[layer + 1].data() : nullptr, rows, stride);
  }
  head({rows, stride, shape_.targets}, at(shape_.layers), layout_.output_weight.in(weights),
       layout_.output_bias.in(weights), space.y.data());
}

void TileNet::backward(const float* weights, const float* transposed, TileSize size, const TileNoise& noise,
                       TileSpace& space, float* gradient, float* dtable) {
  const std::size_t rows = size.rows(), stride = shape_.stride();
  const Gemm product = hidden_[rows], weight_gradient = hidden_gradient_[rows];
  float *d = space.d0.data(), *next = space.d1.data();
  head_backward({rows, stride, shape_.targets}, space.dy.data(), space.h[shape_.layers].data(),
                layout_.output_weight.in(weights), d, layout_.output_weight.in(gradient),
                layout_.output_bias.in(gradient));
  for (std::size_t layer = shape_.layers; layer-- > 0;) {
    activate_backward(shape_.act, d, space.h[layer + 1].data(), space.slope[layer + 1].data(),
                      layout_.hidden_bias[layer].in(gradient), rows, stride);
    weight_gradient(space.h[layer].data(), d, layout_.hidden_weight[layer].in(gradient));
    product(d, transposed + layer * stride * stride, next);
    std::swap(d, next);
  }
  const MergeShape shape{size.samples, size.draws, stride, noise.index};
  float* bias = layout_.input_bias.in(gradient);
  switch (shape_.network) {
    case Network::kDnPlus:
      merge_backward(Merge::kMultiply, shape, d, space.psi.data(), noise.table, space.dpsi.data(), dtable);
      activate_backward(input_act(), space.dpsi.data(), space.psi.data(), space.psi_slope.data(), bias,
                        size.samples, stride);
      break;
    case Network::kDisco:
      activate_backward(shape_.act, d, space.h[0].data(), space.slope[0].data(), bias, rows, stride);
      merge_backward(Merge::kAdd, shape, d, space.psi.data(), noise.table, space.dpsi.data(), dtable);
      break;
    case Network::kPoint:
      activate_backward(shape_.act, d, space.h[0].data(), space.slope[0].data(), bias, rows, stride);
      std::copy_n(d, size.samples * stride, space.dpsi.data());
      break;
  }
  input_backward(size.samples, space, gradient);
}

void TileNet::input_backward(std::size_t samples, TileSpace& space, float* gradient) {
  const std::size_t stride = shape_.stride();
  if (shape_.numbers > 0)
    input_gradient_[samples](space.x.data(), space.dpsi.data(), layout_.input_weight.in(gradient));
  for (std::size_t i = 0; i < samples * shape_.codes; ++i) {
    if (space.codes[i] == EncodedRows::kNothing) continue;
    float* row = layout_.learned_rows.in(gradient) + static_cast<std::size_t>(space.codes[i]) * stride;
    const float* from = space.dpsi.data() + i / shape_.codes * stride;
    for (std::size_t j = 0; j < stride; ++j) row[j] += from[j];
  }
}

void TileNet::transpose_layer(const float* weights, std::size_t layer, float* transposed) const {
  const std::size_t stride = shape_.stride();
  transpose(layout_.hidden_weight[layer].in(weights), shape_.width, stride, stride,
            transposed + layer * stride * stride, stride);
}

}  // namespace mirrorball
