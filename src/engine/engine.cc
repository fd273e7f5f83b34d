#include "engine/engine.h"

#include "engine/cpu/cpu_engine.h"

namespace mirrorball::engine {

const Engine& default_engine() {
  static const CpuEngine cpu;
  return cpu;
}

}  // namespace mirrorball::engine
