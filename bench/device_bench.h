#pragma once

#include "engine/engine.h"

namespace mirrorball::bench {

/// Registers what is measured on an engine other than the CPU: steps of networks side by side, draws, fits.
void register_device_benches(const engine::Engine& engine);

}  // namespace mirrorball::bench
