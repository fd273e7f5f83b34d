#include <cstdio>
#include <exception>
#include <memory>
#include <new>

#include "engine/cuda/device/drawing.cuh"
#include "engine/cuda/device/training.cuh"
#include "engine/cuda/door.h"

/// The C functions of door.h.
namespace mirrorball::cuda {

std::string words_of(cudaError_t error) {
  switch (error) {
    case cudaErrorInsufficientDriver:
      return "the NVIDIA driver is missing or too old: CUDA 13 needs driver 580 or newer";
    case cudaErrorNoDevice:
      return "there is no NVIDIA GPU";
    case cudaErrorMemoryAllocation:
      return "the GPU has too little free memory: end other programs that use it, or take device cpu";
    case cudaErrorDevicesUnavailable:
      return "the GPU is busy or reserved by another program: wait for it, or take device cpu";
    case cudaErrorNoKernelImageForDevice:
      return "the GPU is too old: compute capability 8.0 or higher is needed";
    default:
      return std::string("CUDA: ") + cudaGetErrorString(error);
  }
}

namespace {

/// Runs `body`; what it throws becomes words.
template <class Body>
const char* guarded(Body&& body) noexcept {
  static thread_local char words[512];
  const auto keep = [&](const char* text) {
    std::snprintf(words, sizeof words, "%s", text);
    cudaGetLastError();  // a failure that was told is over
    return words;
  };
  try {
    body();
    return nullptr;
  } catch (const std::bad_alloc&) {
    return keep("too little memory for the buffers of the GPU");
  } catch (const std::exception& failure) {
    return keep(failure.what());
  }
}

/// The structs that door.h only names are these classes.
template <class To, class From>
To* as(From* from) {
  return reinterpret_cast<To*>(from);
}

void on(int device) { check(cudaSetDevice(device)); }

const char* count(int* devices) {
  return guarded([&] { check(cudaGetDeviceCount(devices)); });
}

const char* describe(int device, MirrorballCudaDevice* to) {
  return guarded([&] {
    cudaDeviceProp found;
    check(cudaGetDeviceProperties(&found, device));
    on(device);
    std::snprintf(to->name, sizeof to->name, "%s", found.name);
    to->major = found.major;
    to->minor = found.minor;
    to->processors = found.multiProcessorCount;
    check(cudaMemGetInfo(&to->free_memory, &to->memory));
  });
}

const char* open_rows(int device, const MirrorballCudaNet* net, std::size_t rows, MirrorballCudaRows** to) {
  return guarded([&] {
    on(device);
    *to = as<MirrorballCudaRows>(new Table(device, *net, rows));
  });
}

const char* fill_rows(MirrorballCudaRows* rows, std::size_t first, std::size_t some, const float* numbers,
                      const std::int32_t* codes, const float* targets, const float* weights) {
  return guarded([&] {
    auto& table = *as<Table>(rows);
    on(table.device);
    table.fill(first, some, numbers, codes, targets, weights);
  });
}

void close_rows(MirrorballCudaRows* rows) { delete as<Table>(rows); }

const char* open_training(const MirrorballCudaTask* task, const MirrorballCudaRows* rows, const float* start,
                          MirrorballCudaTraining** to) {
  return guarded([&] {
    const auto& table = *as<const Table>(rows);
    on(table.device);
    *to = as<MirrorballCudaTraining>(new Training(*task, table, start));
  });
}

template <class Body>
const char* with(MirrorballCudaTraining* training, Body&& body) {
  return guarded([&] {
    auto& own = *as<Training>(training);
    on(own.device());
    body(own);
  });
}

const char* step(MirrorballCudaTraining* training, const std::uint32_t* batch, std::size_t rows,
                 std::uint32_t number, const MirrorballCudaAdam* adam) {
  return with(training, [&](Training& own) { own.step(batch, rows, number, *adam); });
}

const char* losses(MirrorballCudaTraining* training, const double** values, std::size_t* some) {
  return with(training, [&](Training& own) {
    const std::vector<double>& all = own.losses();
    *values = all.data();
    *some = all.size();
  });
}

const char* validate(MirrorballCudaTraining* training, double* score) {
  return with(training, [&](Training& own) { *score = own.validate(); });
}

const char* keep_best(MirrorballCudaTraining* training) {
  return with(training, [](Training& own) { own.keep_best(); });
}

const char* read_part(MirrorballCudaTraining* training, int part, float* to) {
  return with(training, [&](Training& own) { own.read(part, to); });
}

const char* write_part(MirrorballCudaTraining* training, int part, const float* from) {
  return with(training, [&](Training& own) { own.write(part, from); });
}

void close_training(MirrorballCudaTraining* training) { delete as<Training>(training); }

const char* open_drawing(int device, const MirrorballCudaNet* net, std::size_t networks,
                         const float* const* weights, MirrorballCudaDrawing** to) {
  return guarded([&] {
    on(device);
    *to = as<MirrorballCudaDrawing>(new Drawing(device, *net, networks, weights));
  });
}

const char* embed(const MirrorballCudaDrawing* drawing, const std::size_t* counts, const float* const* points,
                  MirrorballCudaNoise** to) {
  return guarded([&] {
    const auto& own = *as<const Drawing>(drawing);
    on(own.device());
    *to = as<MirrorballCudaNoise>(new Noise(own.embed(counts, points)));
  });
}

const char* draw(const MirrorballCudaDrawing* drawing, const MirrorballCudaNoise* noise, std::size_t rows,
                 const float* numbers, const std::int32_t* codes, float* out) {
  return guarded([&] {
    const auto& own = *as<const Drawing>(drawing);
    on(own.device());
    own.draw(*as<const Noise>(noise), rows, numbers, codes, out);
  });
}

void close_noise(MirrorballCudaNoise* noise) { delete as<Noise>(noise); }
void close_drawing(MirrorballCudaDrawing* drawing) { delete as<Drawing>(drawing); }

}  // namespace
}  // namespace mirrorball::cuda

extern "C" __attribute__((visibility("default"))) const MirrorballCuda* mirrorball_cuda_open_1() {
  using namespace mirrorball::cuda;
  static const MirrorballCuda door = {count,         describe,    open_rows,      fill_rows,    close_rows,
                                      open_training, step,        losses,         validate,     keep_best,
                                      read_part,     write_part,  close_training, open_drawing, embed,
                                      draw,          close_noise, close_drawing};
  return &door;
}
