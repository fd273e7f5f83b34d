#pragma once

#include <string>

namespace mirrorball::bench {

/// Writes one step of the paper's size as a safetensors file: inputs, targets, noise and weights, and for
/// relu and tanh our loss and gradient; and one of the default network, whose names begin with "default.".
/// The PyTorch twins are checked against it before they are timed.
void write_step(const std::string& path);

}  // namespace mirrorball::bench
