#include "engine/cpu/tile.h"

#include <algorithm>

#include "kernels/head.h"
#include "kernels/merge.h"

namespace mirrorball::engine {

TileSpace::TileSpace(const net::NetShape& shape, TileSize largest, Use use) {
  const bool training = use != Use::kDraw;
  const std::size_t max_rows = largest.rows, lines = largest.lines(), stride = shape.stride();
  const bool slopes = training && kernels::keeps_derivative(shape.act);
  x = Buffer<float>(max_rows * padded(shape.numbers));
  codes = Buffer<std::int32_t>(max_rows * shape.codes);
  wave = WaveSpace(shape, max_rows, training);
  psi = Buffer<float>(max_rows * stride);
  y = Buffer<float>(lines * shape.targets + kPadding);
  for (std::size_t layer = 0; layer <= shape.layers; ++layer) {
    h.emplace_back(training || layer < 2 ? lines * stride : 0);
    slope.emplace_back(slopes ? lines * stride : 0);
  }
  if (!training) {
    units = Buffer<std::uint32_t>(stride);
    unit_weights = Buffer<float>((stride + kernels::kActiveStep) * stride);
    return;
  }
  dpsi = Buffer<float>(max_rows * stride);
  psi_slope = Buffer<float>(slopes ? max_rows * stride : 0);
  dy = Buffer<float>(lines * shape.targets + kPadding);
  d0 = Buffer<float>(lines * stride);
  d1 = Buffer<float>(lines * stride);
  if (use != Use::kTrainBfloat) return;
  rounded = Buffer<kernels::Bfloat>(lines * stride);
  transposed = Buffer<kernels::BfloatPair>(kernels::bfloat_depth(lines) / 2 * stride);
  pairs = Buffer<kernels::BfloatPair>(kernels::bfloat_depth(lines) / 2 * stride);
}

TileNet::TileNet(const net::NetShape& shape, const net::NetLayout& layout, bool bfloat)
    : shape_(shape),
      layout_(layout),
      bfloat_(bfloat),
      wave_(shape, layout),
      input_([in = shape.inputs(), out = shape.stride()](std::size_t lines) {
        return kernels::Gemm::forward(lines, in, out, padded(in), out, out);
      }),
      hidden_([n = shape.stride(), in = shape.width](std::size_t lines) {
        return kernels::Gemm::forward(lines, in, n, n, n, n);
      }),
      input_gradient_([in = shape.inputs(), out = shape.stride()](std::size_t lines) {
        return kernels::Gemm::weight_gradient(lines, in, out, padded(in), out, out);
      }),
      hidden_gradient_([n = shape.stride(), in = shape.width](std::size_t lines) {
        return kernels::Gemm::weight_gradient(lines, in, n, n, n, n);
      }),
      active_([n = shape.stride()](std::pair<std::size_t, std::size_t> size) {
        return kernels::Gemm::forward(size.first, size.second, n, n, n, n);
      }),
      bfloat_hidden_(
          [n = shape.stride()](std::size_t lines) { return kernels::BfloatGemm::forward(lines, n, n); }),
      bfloat_gradient_([n = shape.stride(), in = shape.width](std::size_t lines) {
        return kernels::BfloatGemm::weight_gradient(lines, in, n);
      }) {}

void TileNet::gather(const rows::RowStore& store, std::span<const rows::RowNumber> which,
                     TileSpace& space) const {
  store.gather(which, {space.x.data(), padded(shape_.numbers), space.codes.data(), nullptr, nullptr});
}

/// The first layer before bias and activation.
void TileNet::psi_forward(const float* weights, std::size_t rows, TileSpace& space) {
  const std::size_t stride = shape_.stride();
  float* psi = shape_.noisy() ? space.psi.data() : space.h[0].data();
  if (shape_.numbers > 0) {
    if (shape_.waves > 0) wave_.forward(weights, space.x.data(), rows, space.wave);
    input_[rows](inputs(space), layout_.input_weight.in(weights), psi);
  } else {
    std::fill_n(psi, rows * stride, 0.0f);
  }
  for (std::size_t i = 0; i < rows * shape_.codes; ++i) {
    if (space.codes[i] == rows::EncodedRows::kNothing) continue;
    const float* row = layout_.learned_rows.in(weights) + static_cast<std::size_t>(space.codes[i]) * stride;
    float* to = psi + i / shape_.codes * stride;
    for (std::size_t j = 0; j < stride; ++j) to[j] += row[j];
  }
}

void TileNet::input_forward(const float* weights, TileSize size, const TileNoise& noise, bool keep,
                            TileSpace& space) {
  psi_forward(weights, size.rows, space);
  const std::size_t stride = shape_.stride();
  float* psi = shape_.noisy() ? space.psi.data() : space.h[0].data();
  const float* bias = layout_.input_bias.in(weights);
  const kernels::MergeShape shape{size.rows, size.draws, stride, noise.index};
  switch (shape_.network) {
    case Network::kDnPlus:
      kernels::activate(input_act(), psi, bias, keep ? space.psi_slope.data() : nullptr, size.rows, stride);
      return kernels::merge(kernels::Merge::kMultiply, shape, psi, noise.table, space.h[0].data());
    case Network::kDisco:
      kernels::merge(kernels::Merge::kAdd, shape, psi, noise.table, space.h[0].data());
      return kernels::activate(shape_.act, space.h[0].data(), bias, keep ? space.slope[0].data() : nullptr,
                               size.lines(), stride);
    case Network::kPoint:
      return kernels::activate(shape_.act, psi, bias, keep ? space.slope[0].data() : nullptr, size.rows,
                               stride);
  }
}

/// In u = psi * phi, a unit that ReLU left at 0 is 0 for all draws of its row. With a tile for one row,
/// such units need not enter the first product.
bool TileNet::leaves_out_units(TileSize size) const {
  return shape_.network == Network::kDnPlus && input_act() == kernels::Act::kRelu && size.rows == 1;
}

/// The first hidden layer before bias and activation, from the units that are not 0.
void TileNet::active_forward(const float* weights, TileSize size, const TileNoise& noise, float* to,
                             TileSpace& space) {
  const std::size_t stride = shape_.stride();
  psi_forward(weights, 1, space);
  kernels::activate(input_act(), space.psi.data(), layout_.input_bias.in(weights), nullptr, 1, stride);
  const std::size_t active = kernels::merge_active({1, size.draws, stride, noise.index}, space.psi.data(),
                                                   noise.table, space.h[0].data(), space.units.data());
  const std::size_t whole = std::max(kernels::kActiveStep, (active + kernels::kActiveStep - 1) /
                                                               kernels::kActiveStep * kernels::kActiveStep);
  const float* weight = layout_.hidden_weight[0].in(weights);
  float* packed = space.unit_weights.data();
  for (std::size_t k = 0; k < active; ++k)
    std::copy_n(weight + space.units[k] * stride, stride, packed + k * stride);
  std::fill_n(packed + active * stride, (whole - active) * stride, 0.0f);
  active_[{size.lines(), whole}](space.h[0].data(), packed, to);
}

void TileNet::draw(const float* weights, TileSize size, const TileNoise& noise, TileSpace& space) {
  const std::size_t lines = size.lines(), stride = shape_.stride();
  float *from = space.h[0].data(), *to = space.h[1].data();
  const bool packed = leaves_out_units(size);
  if (!packed) input_forward(weights, size, noise, false, space);
  const kernels::Gemm product = hidden_[lines];
  for (std::size_t layer = 0; layer < shape_.layers; ++layer) {
    if (packed && layer == 0) {
      active_forward(weights, size, noise, to, space);
    } else {
      product(from, layout_.hidden_weight[layer].in(weights), to);
    }
    kernels::activate(shape_.act, to, layout_.hidden_bias[layer].in(weights), nullptr, lines, stride);
    std::swap(from, to);
  }
  kernels::head({lines, stride, shape_.targets}, from, layout_.output_weight.in(weights),
                layout_.output_bias.in(weights), space.y.data());
}

void TileNet::forward(const float* weights, const PreparedLayers& layers, TileSize size,
                      const TileNoise& noise, TileSpace& space) {
  input_forward(weights, size, noise, true, space);
  const std::size_t lines = size.lines(), stride = shape_.stride();
  for (std::size_t layer = 0; layer < shape_.layers; ++layer) {
    float* h = space.h[layer + 1].data();
    hidden_forward(weights, layers, layer, lines, space.h[layer].data(), h, space);
    kernels::activate(shape_.act, h, layout_.hidden_bias[layer].in(weights), space.slope[layer + 1].data(),
                      lines, stride);
  }
  kernels::head({lines, stride, shape_.targets}, space.h[shape_.layers].data(),
                layout_.output_weight.in(weights), layout_.output_bias.in(weights), space.y.data());
}

void TileNet::hidden_forward(const float* weights, const PreparedLayers& layers, std::size_t layer,
                             std::size_t lines, const float* from, float* to, TileSpace& space) {
  const std::size_t stride = shape_.stride();
  if (!bfloat_) return hidden_[lines](from, layout_.hidden_weight[layer].in(weights), to);
  kernels::to_bfloat(from, lines * stride, space.rounded.data());
  bfloat_hidden_[lines](space.rounded.data(), layers.pairs.data() + layer * stride * stride / 2, to);
}

/// gradient += h' d and next = d W', the two products of a layer on the way back.
void TileNet::hidden_backward(const PreparedLayers& layers, std::size_t layer, std::size_t lines,
                              const float* h, const float* d, float* gradient, float* next,
                              TileSpace& space) {
  const std::size_t stride = shape_.stride();
  if (!bfloat_) {
    hidden_gradient_[lines](h, d, gradient);
    return hidden_[lines](d, layers.transposed.data() + layer * stride * stride, next);
  }
  const std::size_t depth = kernels::bfloat_depth(lines);
  kernels::to_transposed_pairs(h, lines, stride, depth / 2, space.transposed.data());
  kernels::to_pairs(d, lines, stride, depth / 2, space.pairs.data());
  bfloat_gradient_[depth](reinterpret_cast<const kernels::Bfloat*>(space.transposed.data()),
                          space.pairs.data(), gradient);
  kernels::to_bfloat(d, lines * stride, space.rounded.data());
  bfloat_hidden_[lines](space.rounded.data(), layers.transposed_pairs.data() + layer * stride * stride / 2,
                        next);
}

void TileNet::backward(const float* weights, const PreparedLayers& layers, TileSize size,
                       const TileNoise& noise, TileSpace& space, float* gradient, float* dtable) {
  const std::size_t lines = size.lines(), stride = shape_.stride();
  float *d = space.d0.data(), *next = space.d1.data();
  kernels::head_backward({lines, stride, shape_.targets}, space.dy.data(), space.h[shape_.layers].data(),
                         layout_.output_weight.in(weights), d, layout_.output_weight.in(gradient),
                         layout_.output_bias.in(gradient));
  for (std::size_t layer = shape_.layers; layer-- > 0;) {
    kernels::activate_backward(shape_.act, d, space.h[layer + 1].data(), space.slope[layer + 1].data(),
                               layout_.hidden_bias[layer].in(gradient), lines, stride);
    hidden_backward(layers, layer, lines, space.h[layer].data(), d, layout_.hidden_weight[layer].in(gradient),
                    next, space);
    std::swap(d, next);
  }
  const kernels::MergeShape shape{size.rows, size.draws, stride, noise.index};
  float* bias = layout_.input_bias.in(gradient);
  switch (shape_.network) {
    case Network::kDnPlus:
      kernels::merge_backward(kernels::Merge::kMultiply, shape, d, space.psi.data(), noise.table,
                              space.dpsi.data(), dtable);
      kernels::activate_backward(input_act(), space.dpsi.data(), space.psi.data(), space.psi_slope.data(),
                                 bias, size.rows, stride);
      break;
    case Network::kDisco:
      kernels::activate_backward(shape_.act, d, space.h[0].data(), space.slope[0].data(), bias, lines,
                                 stride);
      kernels::merge_backward(kernels::Merge::kAdd, shape, d, space.psi.data(), noise.table,
                              space.dpsi.data(), dtable);
      break;
    case Network::kPoint:
      kernels::activate_backward(shape_.act, d, space.h[0].data(), space.slope[0].data(), bias, lines,
                                 stride);
      std::copy_n(d, size.rows * stride, space.dpsi.data());
      break;
  }
  input_backward(layers, size.rows, space, gradient);
}

void TileNet::input_backward(const PreparedLayers& layers, std::size_t rows, TileSpace& space,
                             float* gradient) {
  const std::size_t stride = shape_.stride();
  if (shape_.numbers > 0)
    input_gradient_[rows](inputs(space), space.dpsi.data(), layout_.input_weight.in(gradient));
  if (shape_.waves > 0)
    wave_.backward(layers.waves, space.x.data(), space.dpsi.data(), rows, space.wave, gradient);
  for (std::size_t i = 0; i < rows * shape_.codes; ++i) {
    if (space.codes[i] == rows::EncodedRows::kNothing) continue;
    float* row = layout_.learned_rows.in(gradient) + static_cast<std::size_t>(space.codes[i]) * stride;
    const float* from = space.dpsi.data() + i / shape_.codes * stride;
    for (std::size_t j = 0; j < stride; ++j) row[j] += from[j];
  }
}

PreparedLayers TileNet::make_prepared() const {
  const std::size_t floats = shape_.layers * shape_.stride() * shape_.stride();
  PreparedLayers layers{wave_.make_prepared(), Buffer<float>(floats), {}, {}};
  if (bfloat_) {
    layers.pairs = Buffer<kernels::BfloatPair>(floats / 2);
    layers.transposed_pairs = Buffer<kernels::BfloatPair>(floats / 2);
  }
  return layers;
}

void TileNet::prepare(const float* weights, std::size_t part, PreparedLayers& layers) const {
  if (part == shape_.layers) return wave_.prepare(weights, layers.waves);
  const std::size_t stride = shape_.stride(), at = part * stride * stride;
  const float* weight = layout_.hidden_weight[part].in(weights);
  float* transposed = layers.transposed.data() + at;
  kernels::transpose(weight, shape_.width, stride, stride, transposed, stride);
  if (!bfloat_) return;
  kernels::to_pairs(weight, shape_.width, stride, stride / 2, layers.pairs.data() + at / 2);
  kernels::to_pairs(transposed, stride, stride, stride / 2, layers.transposed_pairs.data() + at / 2);
}

}  // namespace mirrorball::engine
