#include "engine/cpu/wave_embedding.h"

#include <algorithm>

#include "kernels/periodic.h"

namespace mirrorball::engine {
namespace {

std::size_t waves_of(const net::NetShape& shape) { return 2 * shape.waves; }

kernels::PeriodicShape periodic_shape(const net::NetShape& shape, std::size_t rows) {
  return {rows, shape.numbers, padded(shape.numbers), shape.waves};
}

}  // namespace

WaveSpace::WaveSpace(const net::NetShape& shape, std::size_t rows, bool training) {
  if (shape.waves == 0) return;
  const std::size_t all = rows * shape.numbers * waves_of(shape) + kPadding;
  const std::size_t mixed_size = rows * padded(shape.numbers * shape.wave_outputs);
  waves = Buffer<float>(all);
  mixed = Buffer<float>(mixed_size);
  inputs = Buffer<float>(rows * padded(shape.inputs()));
  if (!training) return;
  dwaves = Buffer<float>(all);
  dmixed = Buffer<float>(mixed_size);
}

WaveEmbedding::WaveEmbedding(const net::NetShape& shape, const net::NetLayout& layout)
    : shape_(shape),
      layout_(layout),
      mixed_stride_(padded(shape.numbers * shape.wave_outputs)),
      mix_([=, in = waves_of(shape), out = shape.wave_outputs, from = shape.numbers * waves_of(shape),
            to = mixed_stride_, w = layout.wave_weight.stride](std::size_t rows) {
        return kernels::Gemm::forward(rows, in, out, from, w, to);
      }),
      mix_gradient_([=, in = waves_of(shape), out = shape.wave_outputs,
                     from = shape.numbers * waves_of(shape), to = mixed_stride_,
                     w = layout.wave_weight.stride](std::size_t rows) {
        return kernels::Gemm::weight_gradient(rows, in, out, from, to, w);
      }),
      mix_back_([=, in = shape.wave_outputs, out = waves_of(shape), from = mixed_stride_,
                 to = shape.numbers * waves_of(shape)](std::size_t rows) {
        return kernels::Gemm::forward(rows, in, out, from, out, to);
      }),
      input_back_([=, in = shape.width, out = mixed_stride_, from = shape.stride()](std::size_t rows) {
        return kernels::Gemm::forward(rows, in, out, from, out, out);
      }) {}

void WaveEmbedding::forward(const float* weights, const float* x, std::size_t rows, WaveSpace& space) {
  const std::size_t waves = waves_of(shape_), outputs = shape_.wave_outputs, numbers = shape_.numbers;
  kernels::periodic(periodic_shape(shape_, rows), x, layout_.wave_frequency.in(weights),
                    layout_.wave_amplitude.in(weights), space.waves.data());
  const kernels::Gemm mix = mix_[rows];
  const float* mix_weight = layout_.wave_weight.in(weights);
  for (std::size_t j = 0; j < numbers; ++j)
    mix(space.waves.data() + j * waves, mix_weight + j * waves * layout_.wave_weight.stride,
        space.mixed.data() + j * outputs);
  kernels::activate(kernels::Act::kRelu, space.mixed.data(), layout_.wave_bias.in(weights), nullptr, rows,
                    mixed_stride_);
  for (std::size_t s = 0; s < rows; ++s) {
    float* to = space.inputs.data() + s * padded(shape_.inputs());
    std::copy_n(x + s * padded(numbers), numbers, to);
    std::copy_n(space.mixed.data() + s * mixed_stride_, mixtures(), to + numbers);
  }
}

void WaveEmbedding::backward(const PreparedWaves& prepared, const float* x, const float* dpsi,
                             std::size_t rows, WaveSpace& space, float* gradient) {
  const std::size_t waves = waves_of(shape_), outputs = shape_.wave_outputs;
  input_back_[rows](dpsi, prepared.input.data(), space.dmixed.data());
  kernels::activate_backward(kernels::Act::kRelu, space.dmixed.data(), space.mixed.data(), nullptr,
                             layout_.wave_bias.in(gradient), rows, mixed_stride_);
  const kernels::Gemm weight_gradient = mix_gradient_[rows], back = mix_back_[rows];
  float* mix_gradient = layout_.wave_weight.in(gradient);
  for (std::size_t j = 0; j < shape_.numbers; ++j) {
    const float* dmixed = space.dmixed.data() + j * outputs;
    weight_gradient(space.waves.data() + j * waves, dmixed,
                    mix_gradient + j * waves * layout_.wave_weight.stride);
    back(dmixed, prepared.mix.data() + j * waves * outputs, space.dwaves.data() + j * waves);
  }
  kernels::periodic_backward(periodic_shape(shape_, rows), x, space.waves.data(), space.dwaves.data(),
                             layout_.wave_frequency.in(gradient));
}

PreparedWaves WaveEmbedding::make_prepared() const {
  if (shape_.waves == 0) return {};
  return {Buffer<float>(shape_.numbers * shape_.wave_outputs * waves_of(shape_)),
          Buffer<float>(shape_.width * mixed_stride_)};
}

void WaveEmbedding::prepare(const float* weights, PreparedWaves& prepared) const {
  if (shape_.waves == 0) return;
  const std::size_t waves = waves_of(shape_), outputs = shape_.wave_outputs;
  const float* mix_weight = layout_.wave_weight.in(weights);
  for (std::size_t j = 0; j < shape_.numbers; ++j)
    kernels::transpose(mix_weight + j * waves * layout_.wave_weight.stride, waves, outputs,
                       layout_.wave_weight.stride, prepared.mix.data() + j * waves * outputs, waves);
  const net::Tensor& input = layout_.input_weight;
  kernels::transpose(input.in(weights) + shape_.numbers * input.stride, mixtures(), shape_.width,
                     input.stride, prepared.input.data(), mixed_stride_);
}

}  // namespace mirrorball::engine
