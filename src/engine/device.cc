#include "engine/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <mutex>

#include "base/error.h"
#include "engine/cuda/cuda_engine.h"
#include "engine/cuda/library.h"
#include "mirrorball/machine.h"

namespace mirrorball {
namespace engine {
namespace {

constexpr int kLeastCapability = 8;  ///< the major one, for products of bfloats

const Engine& cuda_engine(int device) {
  static std::mutex lock;
  static std::map<int, std::unique_ptr<CudaEngine>> engines;
  const std::lock_guard hold(lock);
  std::unique_ptr<CudaEngine>& engine = engines[device];
  if (!engine) engine = std::make_unique<CudaEngine>(*cuda_library().door, device);
  return *engine;
}

/// N of cuda:N, 0 of cuda.
int cuda_number(std::string_view device) {
  if (device == "cuda") return 0;
  constexpr std::string_view kNumbered = "cuda:";
  const char *begin = device.data() + std::min(kNumbered.size(), device.size()),
             *end = device.data() + device.size();
  int number = -1;
  const auto read = std::from_chars(begin, end, number);
  if (!device.starts_with(kNumbered) || read.ec != std::errc{} || read.ptr != end || number < 0)
    bad_input("unknown device '{}': use auto, cpu, cuda or cuda:N", device);
  return number;
}

/// Empty where this GPU can be used.
std::string trouble_with(int number, MirrorballCudaDevice& found) {
  const CudaLibrary& library = cuda_library();
  if (!library.door) return library.trouble;
  if (number >= library.devices)
    return fmt::format("there is no GPU {}: this machine has {}, counted from 0", number, library.devices);
  if (const char* words = library.door->describe(number, &found)) return words;
  if (found.major < kLeastCapability)
    return fmt::format("GPU {} has compute capability {}.{}, but {}.0 is needed", number, found.major,
                       found.minor, kLeastCapability);
  return "";
}

/// The first GPU that can be used, else the CPU, with what is wrong with the first.
Choice first_usable() {
  std::string trouble;
  for (int number = 0; number < std::max(1, cuda_library().devices); ++number) {
    MirrorballCudaDevice found{};
    const std::string one = trouble_with(number, found);
    if (one.empty()) return {&cuda_engine(number), ""};
    if (number == 0) trouble = one;
  }
  return {&default_engine(), cuda_library().found ? trouble : ""};
}

}  // namespace

Choice choose_engine(std::string_view device) {
  if (device == "cpu") return {&default_engine(), ""};
  if (device == "auto") return first_usable();
  const int number = cuda_number(device);
  MirrorballCudaDevice found{};
  const std::string trouble = trouble_with(number, found);
  if (!trouble.empty()) bad_input("device {} cannot be used: {}; use device cpu", device, trouble);
  return {&cuda_engine(number), ""};
}

const Engine& draw_engine(std::string_view device) {
  return device == "auto" ? default_engine() : *choose_engine(device).engine;
}

}  // namespace engine

DeviceChoice choose_device(std::string_view device) {
  const engine::Choice choice = engine::choose_engine(device);
  return {choice.engine->name(), choice.note};
}

Gpus gpus() {
  const engine::CudaLibrary& library = engine::cuda_library();
  Gpus all;
  if (library.found) all.trouble = library.trouble;
  for (int number = 0; number < library.devices; ++number) {
    MirrorballCudaDevice found{};
    const std::string trouble = engine::trouble_with(number, found);
    all.found.push_back(trouble.empty() ? fmt::format("cuda:{} {}, {} GiB, {} GiB free", number, found.name,
                                                      found.memory >> 30, found.free_memory >> 30)
                                        : fmt::format("cuda:{} cannot be used: {}", number, trouble));
  }
  return all;
}

}  // namespace mirrorball
