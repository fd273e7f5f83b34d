#pragma once

#include <cstddef>

#include "base/padding.h"
#include "mirrorball/options.h"

namespace mirrorball::kernels {

enum class Act { kIdentity, kRelu, kSelu, kTanh, kGcu, kSilu };

Act act_of(Activation activation);

/// True where the derivative cannot be had from the output alone, so that `activate` must store it.
bool keeps_derivative(Act act);

/// z <- act(z + bias), row by row; `bias` may be null.
///   relu  max(z, 0)                   selu  s z for z > 0, s a (e^z - 1) otherwise
///   tanh                              gcu   z cos z
///   silu  z / (1 + e^-z)
/// `derivative`, where not null, gets act'(z + bias). All have act(0) = 0, so padding stays 0.
void activate(Act act, float* z, const float* bias, float* derivative, std::size_t rows, std::size_t width);

/// gradient <- gradient * act', and bias_gradient += the sum of its rows (where not null). act' comes from
/// `output` = act(z), or from `derivative` where keeps_derivative(act). At the kink of relu the derivative is
/// 0.
void activate_backward(Act act, float* gradient, const float* output, const float* derivative,
                       float* bias_gradient, std::size_t rows, std::size_t width);

}  // namespace mirrorball::kernels
