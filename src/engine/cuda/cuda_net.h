#pragma once

#include "engine/cuda/door.h"
#include "net/shape.h"

namespace mirrorball::engine {

/// The network as door.h describes it.
inline MirrorballCudaNet cuda_net(const net::NetShape& shape) {
  const net::NetLayout layout(shape);
  MirrorballCudaNet net{};
  net.network = static_cast<std::size_t>(shape.network);
  net.act = static_cast<std::size_t>(shape.act);
  net.activate_input = shape.activate_input;
  net.numbers = shape.numbers;
  net.codes = shape.codes;
  net.learned_rows = shape.learned_rows;
  net.waves = shape.waves;
  net.wave_outputs = shape.wave_outputs;
  net.targets = shape.targets;
  net.width = shape.width;
  net.stride = shape.stride();
  net.layers = shape.layers;
  net.noise_dim = shape.noise_dim;
  net.cosines_per_dim = shape.cosines_per_dim();
  net.noise_features = shape.noise_features();
  net.wave_frequency = layout.wave_frequency.offset;
  net.wave_amplitude = layout.wave_amplitude.offset;
  net.wave_weight = layout.wave_weight.offset;
  net.wave_bias = layout.wave_bias.offset;
  net.input_weight = layout.input_weight.offset;
  net.learned = layout.learned_rows.offset;
  net.input_bias = layout.input_bias.offset;
  net.noise_weight = layout.noise_weight.offset;
  net.noise_bias = layout.noise_bias.offset;
  net.hidden = layout.hidden_weight.front().offset;
  net.output_weight = layout.output_weight.offset;
  net.output_bias = layout.output_bias.offset;
  net.size = layout.size;
  return net;
}

}  // namespace mirrorball::engine
