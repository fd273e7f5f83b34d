#pragma once

#include <string>

#include "engine/cuda/door.h"

namespace mirrorball::engine {

/// The library of the CUDA engine, libmirrorball_cuda.so, loaded on first use: the file that MIRRORBALL_CUDA
/// names, or the plugin.
struct CudaLibrary {
  const MirrorballCuda* door = nullptr;  ///< null where it cannot be used
  bool found = false;                    ///< the file is there
  int devices = 0;
  std::string trouble;  ///< why it cannot be used, in one line
};

const CudaLibrary& cuda_library();

}  // namespace mirrorball::engine
