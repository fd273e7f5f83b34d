#pragma once

#include <string>

namespace mirrorball::bench {

/// Writes one step of the paper's size as a safetensors file: inputs, targets, noise and weights, and for
/// relu and tanh our loss and gradient. The PyTorch twin is checked against it before it is timed.
void write_step(const std::string& path);

}  // namespace mirrorball::bench
