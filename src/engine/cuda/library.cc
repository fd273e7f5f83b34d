#include "engine/cuda/library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>

#include "base/plugin.h"

namespace mirrorball::engine {
namespace {

constexpr const char* kCudaLibrary = "libmirrorball_cuda.so";

/// Empty where there is none.
std::string cuda_library_path() {
  const char* named = std::getenv("MIRRORBALL_CUDA");
  return named && *named ? named : plugin_path(kCudaLibrary);
}

CudaLibrary load_cuda_library() {
  CudaLibrary made;
  const std::string path = cuda_library_path();
  if (path.empty()) {
    made.trouble = fmt::format("{} is not beside the program: `make cuda` builds it", kCudaLibrary);
    return made;
  }
  made.found = true;
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    made.trouble = fmt::format("cannot load {}: {}", path, dlerror());
    return made;
  }
  const auto open = reinterpret_cast<MirrorballCudaOpen>(dlsym(library, kMirrorballCudaOpen));
  if (!open) {
    made.trouble =
        fmt::format("{} is of another version of Mirrorball: build it again with `make cuda`", path);
    return made;
  }
  if (!dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)) {
    made.trouble = "there is no NVIDIA driver (libcuda.so.1)";
    return made;
  }
  const MirrorballCuda* door = open();
  if (const char* words = door->count(&made.devices)) {
    made.trouble = words;
    return made;
  }
  made.door = door;
  return made;
}

}  // namespace

const CudaLibrary& cuda_library() {
  static const CudaLibrary library = load_cuda_library();
  return library;
}

}  // namespace mirrorball::engine
