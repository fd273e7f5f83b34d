#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/buffer.h"
#include "kernels/activation.h"
#include "mirrorball/plan.h"

namespace mirrorball::net {

/// The network as a description; DN+, DISCO Nets and the network without noise are three values of it.
///
///   psi  = Wx (x and the mixtures of its waves) + (learned rows of categories and missing values) + bx
///   DN+    u = act(psi) * tanh(Wa c(a) + ba), c the cosines of the noise a
///   DISCO  u = act(psi + Wa a)
///   point  u = act(psi)
///   h_1 = act(W_1 u + b_1), … , h_L = act(W_L h_(L-1) + b_L),   y = Wo h_L + bo
struct NetShape {
  Network network = Network::kDnPlus;
  std::size_t numbers = 0;       ///< number inputs
  std::size_t codes = 0;         ///< inputs that pick a learned row
  std::size_t learned_rows = 0;  ///< rows they pick from
  std::size_t waves = 0;         ///< frequencies that embed a number; 0: numbers as they are
  std::size_t wave_outputs = 8;  ///< mixtures of a number's waves
  std::size_t targets = 1;
  std::size_t width = 128, layers = 2;
  std::size_t noise_dim = 1, cosines = 128;
  kernels::Act act = kernels::Act::kRelu;
  bool activate_input = true;

  static NetShape make(const Plan& plan, std::size_t numbers, std::size_t codes, std::size_t learned_rows,
                       std::size_t targets);

  /// Length of what the first layer's weights act on.
  std::size_t inputs() const { return numbers * (waves > 0 ? 1 + wave_outputs : 1); }
  bool noisy() const { return network != Network::kPoint; }
  std::size_t cosines_per_dim() const;
  /// Length of what the noise weights act on: the cosines, or the noise itself.
  std::size_t noise_features() const;
  std::size_t stride() const { return padded(width); }  ///< of a row of hidden units
};

/// One parameter inside the flat array of all; rows of `cols` values, `stride` apart.
struct Tensor {
  std::string name;
  std::size_t offset = 0, rows = 0, cols = 0, stride = 0;

  float* in(float* base) const { return base + offset; }
  const float* in(const float* base) const { return base + offset; }
};

/// Where each parameter lies. Rows are padded; the padding is 0 and stays 0.
struct NetLayout {
  explicit NetLayout(const NetShape& shape);

  /// Rows of wave_weight: all waves of a number, then the next number's.
  Tensor wave_frequency, wave_amplitude, wave_weight, wave_bias;
  Tensor input_weight, learned_rows, input_bias, noise_weight, noise_bias, output_weight, output_bias;
  std::vector<Tensor> hidden_weight, hidden_bias;
  std::size_t size = 0;  ///< floats in all, padding included

  /// The tensors there are, in order.
  std::vector<const Tensor*> tensors() const;
  std::size_t parameters() const;  ///< padding not counted
};

/// Where weights start: U(-1/sqrt(inputs), 1/sqrt(inputs)) for weights and biases of a layer, or
/// N(0, init_sd^2) for all but the waves. The k-th frequency of every number is drawn from N(0, s_k^2), s_k
/// running geometrically from `wave_low` to `wave_high`; with `damped`, fast waves are weaker, by
/// min(1, sqrt(0.1 / s_k)). The mixtures' biases start at 0.
struct Start {
  double init_sd = 0, wave_low = 0.03, wave_high = 3;
  bool damped = false;
};

Buffer<float> initial_weights(const NetShape& shape, const NetLayout& layout, const Start& start,
                              std::uint64_t seed, std::uint32_t network);

}  // namespace mirrorball::net
