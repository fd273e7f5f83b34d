#include "net/shape.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace mirrorball::net {
NetShape NetShape::make(const Plan& plan, std::size_t numbers, std::size_t codes, std::size_t learned_rows,
                        std::size_t targets) {
  const auto size = [](int n) { return static_cast<std::size_t>(n); };
  NetShape shape;
  shape.network = plan.architecture;
  shape.numbers = numbers;
  shape.codes = codes;
  shape.learned_rows = learned_rows;
  shape.waves = size(plan.waves);
  shape.targets = targets;
  shape.width = size(plan.width);
  shape.layers = size(plan.layers);
  shape.noise_dim = size(plan.noise_dim);
  shape.cosines = size(plan.cosines);
  shape.act = kernels::act_of(plan.activation);
  shape.activate_input = plan.activate_input;
  return shape;
}

std::size_t NetShape::cosines_per_dim() const { return cosines / std::max<std::size_t>(1, noise_dim); }

std::size_t NetShape::noise_features() const {
  return network == Network::kDnPlus ? cosines_per_dim() * noise_dim : noise_dim;
}

NetLayout::NetLayout(const NetShape& shape) {
  const auto place = [this](std::string name, std::size_t rows, std::size_t cols) {
    const Tensor tensor{std::move(name), size, rows, cols, padded(cols)};
    size += rows * tensor.stride;
    return tensor;
  };
  const std::size_t width = shape.width;
  wave_frequency = place("wave.frequency", shape.waves > 0 ? shape.numbers : 0, shape.waves);
  wave_amplitude = place("wave.amplitude", shape.waves > 0 ? 1 : 0, shape.waves);
  wave_weight = place("wave.weight", shape.numbers * 2 * shape.waves, shape.wave_outputs);
  wave_bias = place("wave.bias", shape.waves > 0 ? 1 : 0, shape.numbers * shape.wave_outputs);
  input_weight = place("input.weight", shape.inputs(), width);
  learned_rows = place("input.rows", shape.learned_rows, width);
  input_bias = place("input.bias", 1, width);
  noise_weight = place("noise.weight", shape.noise_features(), width);
  noise_bias = place("noise.bias", shape.network == Network::kDnPlus ? 1 : 0, width);
  for (std::size_t layer = 0; layer < shape.layers; ++layer) {
    const std::string name = "hidden." + std::to_string(layer);
    hidden_weight.push_back(place(name + ".weight", width, width));
    hidden_bias.push_back(place(name + ".bias", 1, width));
  }
  output_weight = place("output.weight", shape.targets, width);
  output_bias = place("output.bias", 1, shape.targets);
}

std::vector<const Tensor*> NetLayout::tensors() const {
  std::vector<const Tensor*> all = {&wave_frequency, &wave_amplitude, &wave_weight,
                                    &wave_bias,      &input_weight,   &learned_rows,
                                    &input_bias,     &noise_weight,   &noise_bias};
  for (std::size_t layer = 0; layer < hidden_weight.size(); ++layer) {
    all.push_back(&hidden_weight[layer]);
    all.push_back(&hidden_bias[layer]);
  }
  all.push_back(&output_weight);
  all.push_back(&output_bias);
  std::erase_if(all, [](const Tensor* tensor) { return tensor->rows == 0; });
  return all;
}

std::size_t NetLayout::parameters() const {
  std::size_t sum = 0;
  for (const Tensor* tensor : tensors()) sum += tensor->rows * tensor->cols;
  return sum;
}

namespace {

/// Up to this frequency damped waves have their full amplitude.
constexpr double kDampedFrom = 0.1;

double frequency_scale(const NetShape& shape, const Start& start, std::size_t k) {
  const double place = shape.waves > 1 ? static_cast<double>(k) / static_cast<double>(shape.waves - 1) : 0;
  return start.wave_low * std::pow(start.wave_high / start.wave_low, place);
}

}  // namespace

Buffer<float> initial_weights(const NetShape& shape, const NetLayout& layout, const Start& start,
                              std::uint64_t seed, std::uint32_t network) {
  Buffer<float> weights(layout.size);
  const std::size_t noise_beside = shape.network == Network::kDisco ? shape.noise_dim : 0;
  const auto bound = [&](const Tensor* tensor) {
    std::size_t inputs = shape.width;
    if (tensor == &layout.input_weight || tensor == &layout.learned_rows || tensor == &layout.input_bias)
      inputs = shape.inputs() + shape.codes + noise_beside;
    if (tensor == &layout.wave_weight) inputs = 2 * shape.waves;
    if (tensor == &layout.noise_weight || tensor == &layout.noise_bias)
      inputs = noise_beside ? shape.inputs() + shape.codes + noise_beside : shape.noise_features();
    return 1.0 / std::sqrt(static_cast<double>(std::max<std::size_t>(1, inputs)));
  };
  const auto value = [&](const Tensor* tensor, std::size_t col, double limit, Stream& random) {
    if (tensor == &layout.wave_frequency) return frequency_scale(shape, start, col) * random.normal();
    if (tensor == &layout.wave_amplitude)
      return start.damped ? std::min(1.0, std::sqrt(kDampedFrom / frequency_scale(shape, start, col))) : 1.0;
    if (start.init_sd > 0) return start.init_sd * random.normal();
    return tensor == &layout.wave_bias ? 0.0 : limit * (2.0 * random.uniform_double() - 1.0);
  };
  std::uint32_t part = 0;
  for (const Tensor* tensor : layout.tensors()) {
    Stream random(seed, Purpose::kInit, network, part++);
    const double limit = bound(tensor);
    for (std::size_t row = 0; row < tensor->rows; ++row)
      for (std::size_t col = 0; col < tensor->cols; ++col)
        tensor->in(weights.data())[row * tensor->stride + col] =
            static_cast<float>(value(tensor, col, limit, random));
  }
  return weights;
}

}  // namespace mirrorball::net
