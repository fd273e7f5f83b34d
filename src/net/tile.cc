#include "net/tile.h"

#include <algorithm>

#include "kernels/head.h"
#include "kernels/merge.h"

namespace mirrorball {

TileSpace::TileSpace(const NetShape& shape, TileSize largest, Use use) {
  const bool training = use != Use::kDraw;
  const std::size_t max_samples = largest.samples, rows = largest.rows(), stride = shape.stride();
  const bool slopes = training && keeps_derivative(shape.act);
  x = Buffer<float>(max_samples * padded(shape.numbers));
  codes = Buffer<std::int32_t>(max_samples * shape.codes);
  wave = WaveSpace(shape, max_samples, training);
  psi = Buffer<float>(max_samples * stride);
  y = Buffer<float>(rows * shape.targets + kLane);
  for (std::size_t layer = 0; layer <= shape.layers; ++layer) {
    h.emplace_back(training || layer < 2 ? rows * stride : 0);
    slope.emplace_back(slopes ? rows * stride : 0);
  }
  if (!training) {
    units = Buffer<std::uint32_t>(stride);
    unit_weights = Buffer<float>((stride + kActiveStep) * stride);
    return;
  }
  dpsi = Buffer<float>(max_samples * stride);
  psi_slope = Buffer<float>(slopes ? max_samples * stride : 0);
  dy = Buffer<float>(rows * shape.targets + kLane);
  d0 = Buffer<float>(rows * stride);
  d1 = Buffer<float>(rows * stride);
  if (use != Use::kTrainBfloat) return;
  rounded = Buffer<Bfloat>(rows * stride);
  transposed = Buffer<BfloatPair>((rows + 1) / 2 * stride);
  pairs = Buffer<BfloatPair>((rows + 1) / 2 * stride);
}

TileNet::TileNet(const NetShape& shape, const NetLayout& layout, bool bfloat)
    : shape_(shape),
      layout_(layout),
      bfloat_(bfloat),
      wave_(shape, layout),
      input_([in = shape.inputs(), out = shape.stride()](std::size_t rows) {
        return Gemm::forward(rows, in, out, padded(in), out, out);
      }),
      hidden_([n = shape.stride(), in = shape.width](std::size_t rows) {
        return Gemm::forward(rows, in, n, n, n, n);
      }),
      input_gradient_([in = shape.inputs(), out = shape.stride()](std::size_t rows) {
        return Gemm::weight_gradient(rows, in, out, padded(in), out, out);
      }),
      hidden_gradient_([n = shape.stride(), in = shape.width](std::size_t rows) {
        return Gemm::weight_gradient(rows, in, n, n, n, n);
      }),
      active_([n = shape.stride()](std::pair<std::size_t, std::size_t> size) {
        return Gemm::forward(size.first, size.second, n, n, n, n);
      }),
      bfloat_hidden_([n = shape.stride()](std::size_t rows) { return BfloatGemm::forward(rows, n, n); }),
      bfloat_gradient_([n = shape.stride(), in = shape.width](std::size_t rows) {
        return BfloatGemm::weight_gradient(rows, in, n);
      }) {}

void TileNet::gather(const EncodedRows& rows, std::span<const std::uint32_t> which, TileSpace& space) const {
  const std::size_t stride = padded(shape_.numbers);
  for (std::size_t s = 0; s < which.size(); ++s) {
    std::copy_n(rows.numbers.data() + which[s] * shape_.numbers, shape_.numbers, space.x.data() + s * stride);
    std::copy_n(rows.codes.data() + which[s] * shape_.codes, shape_.codes,
                space.codes.data() + s * shape_.codes);
  }
}

/// The first layer before bias and activation.
void TileNet::psi_forward(const float* weights, std::size_t samples, TileSpace& space) {
  const std::size_t stride = shape_.stride();
  float* psi = shape_.noisy() ? space.psi.data() : space.h[0].data();
  if (shape_.numbers > 0) {
    if (shape_.waves > 0) wave_.forward(weights, space.x.data(), samples, space.wave);
    input_[samples](inputs(space), layout_.input_weight.in(weights), psi);
  } else {
    std::fill_n(psi, samples * stride, 0.0f);
  }
  for (std::size_t i = 0; i < samples * shape_.codes; ++i) {
    if (space.codes[i] == EncodedRows::kNothing) continue;
    const float* row = layout_.learned_rows.in(weights) + static_cast<std::size_t>(space.codes[i]) * stride;
    float* to = psi + i / shape_.codes * stride;
    for (std::size_t j = 0; j < stride; ++j) to[j] += row[j];
  }
}

void TileNet::input_forward(const float* weights, TileSize size, const TileNoise& noise, bool keep,
                            TileSpace& space) {
  psi_forward(weights, size.samples, space);
  const std::size_t stride = shape_.stride();
  float* psi = shape_.noisy() ? space.psi.data() : space.h[0].data();
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

/// In u = psi * phi, a unit that ReLU left at 0 is 0 for all draws of its sample. With a tile for one sample,
/// such units need not enter the first product.
bool TileNet::leaves_out_units(TileSize size) const {
  return shape_.network == Network::kDnPlus && input_act() == Act::kRelu && size.samples == 1;
}

/// The first hidden layer before bias and activation, from the units that are not 0.
void TileNet::active_forward(const float* weights, TileSize size, const TileNoise& noise, float* to,
                             TileSpace& space) {
  const std::size_t stride = shape_.stride();
  psi_forward(weights, 1, space);
  activate(input_act(), space.psi.data(), layout_.input_bias.in(weights), nullptr, 1, stride);
  const std::size_t active = merge_active({1, size.draws, stride, noise.index}, space.psi.data(), noise.table,
                                          space.h[0].data(), space.units.data());
  const std::size_t whole = std::max(kActiveStep, (active + kActiveStep - 1) / kActiveStep * kActiveStep);
  const float* weight = layout_.hidden_weight[0].in(weights);
  float* packed = space.unit_weights.data();
  for (std::size_t k = 0; k < active; ++k)
    std::copy_n(weight + space.units[k] * stride, stride, packed + k * stride);
  std::fill_n(packed + active * stride, (whole - active) * stride, 0.0f);
  active_[{size.rows(), whole}](space.h[0].data(), packed, to);
}

void TileNet::draw(const float* weights, TileSize size, const TileNoise& noise, TileSpace& space) {
  const std::size_t rows = size.rows(), stride = shape_.stride();
  float *from = space.h[0].data(), *to = space.h[1].data();
  const bool packed = leaves_out_units(size);
  if (!packed) input_forward(weights, size, noise, false, space);
  const Gemm product = hidden_[rows];
  for (std::size_t layer = 0; layer < shape_.layers; ++layer) {
    if (packed && layer == 0) {
      active_forward(weights, size, noise, to, space);
    } else {
      product(from, layout_.hidden_weight[layer].in(weights), to);
    }
    activate(shape_.act, to, layout_.hidden_bias[layer].in(weights), nullptr, rows, stride);
    std::swap(from, to);
  }
  head({rows, stride, shape_.targets}, from, layout_.output_weight.in(weights),
       layout_.output_bias.in(weights), space.y.data());
}

void TileNet::forward(const float* weights, const PreparedLayers& layers, TileSize size,
                      const TileNoise& noise, TileSpace& space) {
  input_forward(weights, size, noise, true, space);
  const std::size_t rows = size.rows(), stride = shape_.stride();
  for (std::size_t layer = 0; layer < shape_.layers; ++layer) {
    float* h = space.h[layer + 1].data();
    hidden_forward(weights, layers, layer, rows, space.h[layer].data(), h, space);
    activate(shape_.act, h, layout_.hidden_bias[layer].in(weights), space.slope[layer + 1].data(), rows,
             stride);
  }
  head({rows, stride, shape_.targets}, space.h[shape_.layers].data(), layout_.output_weight.in(weights),
       layout_.output_bias.in(weights), space.y.data());
}

void TileNet::hidden_forward(const float* weights, const PreparedLayers& layers, std::size_t layer,
                             std::size_t rows, const float* from, float* to, TileSpace& space) {
  const std::size_t stride = shape_.stride();
  if (!bfloat_) return hidden_[rows](from, layout_.hidden_weight[layer].in(weights), to);
  to_bfloat(from, rows * stride, space.rounded.data());
  bfloat_hidden_[rows](space.rounded.data(), layers.pairs.data() + layer * stride * stride / 2, to);
}

/// gradient += h' d and next = d W', the two products of a layer on the way back.
void TileNet::hidden_backward(const PreparedLayers& layers, std::size_t layer, std::size_t rows,
                              const float* h, const float* d, float* gradient, float* next,
                              TileSpace& space) {
  const std::size_t stride = shape_.stride();
  if (!bfloat_) {
    hidden_gradient_[rows](h, d, gradient);
    return hidden_[rows](d, layers.transposed.data() + layer * stride * stride, next);
  }
  to_transposed_pairs(h, rows, stride, space.transposed.data());
  to_pairs(d, rows, stride, space.pairs.data());
  bfloat_gradient_[(rows + 1) / 2 * 2](reinterpret_cast<const Bfloat*>(space.transposed.data()),
                                       space.pairs.data(), gradient);
  to_bfloat(d, rows * stride, space.rounded.data());
  bfloat_hidden_[rows](space.rounded.data(), layers.transposed_pairs.data() + layer * stride * stride / 2,
                       next);
}

void TileNet::backward(const float* weights, const PreparedLayers& layers, TileSize size,
                       const TileNoise& noise, TileSpace& space, float* gradient, float* dtable) {
  const std::size_t rows = size.rows(), stride = shape_.stride();
  float *d = space.d0.data(), *next = space.d1.data();
  head_backward({rows, stride, shape_.targets}, space.dy.data(), space.h[shape_.layers].data(),
                layout_.output_weight.in(weights), d, layout_.output_weight.in(gradient),
                layout_.output_bias.in(gradient));
  for (std::size_t layer = shape_.layers; layer-- > 0;) {
    activate_backward(shape_.act, d, space.h[layer + 1].data(), space.slope[layer + 1].data(),
                      layout_.hidden_bias[layer].in(gradient), rows, stride);
    hidden_backward(layers, layer, rows, space.h[layer].data(), d, layout_.hidden_weight[layer].in(gradient),
                    next, space);
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
  input_backward(layers, size.samples, space, gradient);
}

void TileNet::input_backward(const PreparedLayers& layers, std::size_t samples, TileSpace& space,
                             float* gradient) {
  const std::size_t stride = shape_.stride();
  if (shape_.numbers > 0)
    input_gradient_[samples](inputs(space), space.dpsi.data(), layout_.input_weight.in(gradient));
  if (shape_.waves > 0)
    wave_.backward(layers.waves, space.x.data(), space.dpsi.data(), samples, space.wave, gradient);
  for (std::size_t i = 0; i < samples * shape_.codes; ++i) {
    if (space.codes[i] == EncodedRows::kNothing) continue;
    float* row = layout_.learned_rows.in(gradient) + static_cast<std::size_t>(space.codes[i]) * stride;
    const float* from = space.dpsi.data() + i / shape_.codes * stride;
    for (std::size_t j = 0; j < stride; ++j) row[j] += from[j];
  }
}

PreparedLayers TileNet::make_prepared() const {
  const std::size_t floats = shape_.layers * shape_.stride() * shape_.stride();
  PreparedLayers layers{wave_.make_prepared(), Buffer<float>(floats), {}, {}};
  if (bfloat_) {
    layers.pairs = Buffer<BfloatPair>(floats / 2);
    layers.transposed_pairs = Buffer<BfloatPair>(floats / 2);
  }
  return layers;
}

void TileNet::prepare(const float* weights, std::size_t part, PreparedLayers& layers) const {
  if (part == shape_.layers) return wave_.prepare(weights, layers.waves);
  const std::size_t stride = shape_.stride(), at = part * stride * stride;
  const float* weight = layout_.hidden_weight[part].in(weights);
  float* transposed = layers.transposed.data() + at;
  transpose(weight, shape_.width, stride, stride, transposed, stride);
  if (!bfloat_) return;
  to_pairs(weight, shape_.width, stride, layers.pairs.data() + at / 2);
  to_pairs(transposed, stride, stride, layers.transposed_pairs.data() + at / 2);
}

}  // namespace mirrorball
