#pragma once

#include "engine/cuda/device/base.cuh"
#include "engine/cuda/door.h"

/// The network as kernels see it. The formulas are those of net/shape.h and of the headers in kernels/.
namespace mirrorball::cuda {

/// As mirrorball::Network and kernels::Act number them.
enum Network : int { kDnPlus, kDisco, kPoint };
enum Act : int { kIdentity, kRelu, kSelu, kTanh, kGcu, kSilu };

/// Mixtures of a number's waves: wave_outputs of net::NetShape, the same for all networks.
constexpr int kMixtures = 8;

struct Net {
  int network, act, input_act;
  int numbers, codes, learned_rows, waves, inputs, targets, width, stride, layers;
  int dims, per_dim, features;
  std::size_t frequency, amplitude, wave_weight, wave_bias, input_weight, learned, input_bias, noise_weight,
      noise_bias, hidden, output_weight, output_bias, size;

  __host__ __device__ bool noisy() const { return network != kPoint; }
  __host__ __device__ std::size_t hidden_weight(int layer) const {
    return hidden + static_cast<std::size_t>(layer) * (width + 1) * stride;
  }
  __host__ __device__ std::size_t hidden_bias(int layer) const {
    return hidden_weight(layer) + static_cast<std::size_t>(width) * stride;
  }
  /// Rows of the layout are padded to 16 floats.
  __host__ __device__ int wave_stride() const { return (waves + 15) / 16 * 16; }
  __host__ __device__ int mix_stride() const { return (kMixtures + 15) / 16 * 16; }

  static Net of(const MirrorballCudaNet& from) {
    const auto whole = [](std::size_t n) { return static_cast<int>(n); };
    if (from.wave_outputs != kMixtures)
      throw Failure("this library of the GPU is of another version: build it again with `make cuda`");
    Net net;
    net.network = whole(from.network);
    net.act = whole(from.act);
    net.input_act = net.network == kDnPlus && !from.activate_input ? kIdentity : net.act;
    net.numbers = whole(from.numbers);
    net.codes = whole(from.codes);
    net.learned_rows = whole(from.learned_rows);
    net.waves = whole(from.waves);
    net.inputs = net.numbers * (net.waves > 0 ? 1 + kMixtures : 1);
    net.targets = whole(from.targets);
    net.width = whole(from.width);
    net.stride = whole(from.stride);
    net.layers = whole(from.layers);
    net.dims = whole(from.noise_dim);
    net.per_dim = whole(from.cosines_per_dim);
    net.features = whole(from.noise_features);
    net.frequency = from.wave_frequency;
    net.amplitude = from.wave_amplitude;
    net.wave_weight = from.wave_weight;
    net.wave_bias = from.wave_bias;
    net.input_weight = from.input_weight;
    net.learned = from.learned;
    net.input_bias = from.input_bias;
    net.noise_weight = from.noise_weight;
    net.noise_bias = from.noise_bias;
    net.hidden = from.hidden;
    net.output_weight = from.output_weight;
    net.output_bias = from.output_bias;
    net.size = from.size;
    return net;
  }
};

/// act(z) and act'(z) (kernels/activation.h). A function of its own: inlined eight times into a product, the
/// code of all activations would take longer to load than to run.
struct Activated {
  float value, slope;
};

static __device__ __noinline__ Activated activate(int act, float z) {
  constexpr float kScale = 1.0507009873554805f, kAlpha = 1.6732632423543772f;  // Klambauer et al. 2017
  switch (act) {
    case kRelu:
      return {fmaxf(z, 0.0f), z > 0 ? 1.0f : 0.0f};
    case kSelu: {
      const float value = z > 0 ? kScale * z : kScale * kAlpha * expm1f(z);
      return {value, z > 0 ? kScale : value + kScale * kAlpha};
    }
    case kTanh: {
      const float value = tanhf(z);
      return {value, 1.0f - value * value};
    }
    case kGcu:
      return {z * cosf(z), cosf(z) - z * sinf(z)};
    case kSilu: {
      const float s = 1.0f / (1.0f + expf(fminf(-z, 80.0f)));
      return {z * s, s * (1.0f + z * (1.0f - s))};
    }
    default:
      return {z, 1.0f};
  }
}

/// The step under way, in the device's memory, so that a captured graph serves every step.
struct Now {
  std::uint32_t number;
  int rows;  ///< of the batch
  MirrorballCudaAdam adam;
  std::uint32_t slot;
};

/// How many rows a kernel has to do with: those of the step under way, or a number known at the launch.
struct Rows {
  const Now* now;
  int count;
  __device__ int get() const { return now ? now->rows : count; }
};

/// Encoded rows: row s is the row which[s] of the arrays, or s where `which` is null.
struct Inputs {
  const float* numbers;
  const std::int32_t* codes;
  const std::uint32_t* which;
  __device__ std::size_t row(int s) const { return which ? which[s] : static_cast<std::size_t>(s); }
};

}  // namespace mirrorball::cuda
