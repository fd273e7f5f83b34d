#pragma once

#include <string>
#include <string_view>

#include "engine/engine.h"

namespace mirrorball::engine {

/// What the option `device` comes to on this machine.
struct Choice {
  const Engine* engine = nullptr;
  std::string note;  ///< why `auto` does not take a GPU although the library for it is there
};

/// auto takes the first GPU that can be used, and else the CPU. cpu, cuda (the first GPU) and cuda:N take
/// what they name, and throw where it is not there.
Choice choose_engine(std::string_view device);

/// The same for draws from a fitted model. auto is the CPU: a GPU takes longer to start than most predictions
/// take.
const Engine& draw_engine(std::string_view device);

}  // namespace mirrorball::engine
