#pragma once

#include <stdexcept>

#include "engine/device.h"

namespace mirrorball::reference {

/// The first GPU that can be used; null where there is none. Tests run for it too, or are skipped.
inline const engine::Engine* gpu() {
  static const engine::Engine* const found = []() -> const engine::Engine* {
    try {
      return engine::choose_engine("cuda").engine;
    } catch (const std::exception&) {
      return nullptr;
    }
  }();
  return found;
}

}  // namespace mirrorball::reference
