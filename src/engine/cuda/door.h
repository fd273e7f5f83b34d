#pragma once

#include <cstddef>
#include <cstdint>

/// What passes between the program and the library of the CUDA engine, which is loaded while the program
/// runs: plain C, so that neither needs the other to be built.
extern "C" {

/// A network: the fields of net::NetShape, and where net::NetLayout has its parameters.
struct MirrorballCudaNet {
  std::size_t network, act, activate_input;  ///< as the enumerations number them
  std::size_t numbers, codes, learned_rows, waves, wave_outputs, targets, width, stride, layers;
  std::size_t noise_dim, cosines_per_dim, noise_features;
  std::size_t wave_frequency, wave_amplitude, wave_weight, wave_bias;  ///< offsets, from here on
  std::size_t input_weight, learned, input_bias, noise_weight, noise_bias, hidden, output_weight, output_bias;
  std::size_t size;  ///< floats in all
};

/// The fields of engine::TrainTask that are plain numbers.
struct MirrorballCudaTask {
  MirrorballCudaNet net;
  std::uint64_t seed;
  std::uint32_t network;
  std::size_t draws, grid, stratified;
  float alpha, pair_weight;
  std::size_t strata;
  std::size_t largest_batch, bfloat, averages;
  std::size_t validation_samples, validation_rows;
  const float* validation_points;   ///< validation_samples x noise_dim
  const std::uint32_t* validation;  ///< row numbers
  const double* lattice;            ///< noise_dim steps of the lattice of noise points; null where none
  float validation_pair_weight;
};

/// One step of Adam, as kernels::AdamStep.
struct MirrorballCudaAdam {
  float rate, beta1, beta2, correction1, correction2, decay;
};

struct MirrorballCudaDevice {
  char name[256];
  int major, minor, processors;
  std::size_t memory, free_memory;  ///< bytes
};

struct MirrorballCudaRows;
struct MirrorballCudaTraining;
struct MirrorballCudaDrawing;
struct MirrorballCudaNoise;

/// Every function but those that close gives null, or what went wrong, in words that stay until the next call
/// of the same thread.
struct MirrorballCuda {
  const char* (*count)(int* devices);
  const char* (*describe)(int device, MirrorballCudaDevice* to);

  /// Encoded rows on the device, written in parts: numbers, codes, targets and weights of rows [first, first
  /// + count).
  const char* (*open_rows)(int device, const MirrorballCudaNet* net, std::size_t rows,
                           MirrorballCudaRows** to);
  const char* (*fill_rows)(MirrorballCudaRows*, std::size_t first, std::size_t count, const float* numbers,
                           const std::int32_t* codes, const float* targets, const float* weights);
  void (*close_rows)(MirrorballCudaRows*);

  /// One network in training. The rows must outlive it.
  const char* (*open_training)(const MirrorballCudaTask*, const MirrorballCudaRows*, const float* start,
                               MirrorballCudaTraining** to);
  /// Queues a step; returns before it is done.
  const char* (*step)(MirrorballCudaTraining*, const std::uint32_t* batch, std::size_t rows,
                      std::uint32_t number, const MirrorballCudaAdam*);
  /// Mean losses of the steps since the last call, `*count` of them, which stay until the next step.
  const char* (*losses)(MirrorballCudaTraining*, const double** values, std::size_t* count);
  const char* (*validate)(MirrorballCudaTraining*, double* score);
  const char* (*keep_best)(MirrorballCudaTraining*);
  /// Part 0 weights, 1 Adam's means, 2 squares, 3 averaged weights, 4 best weights: net.size floats each.
  const char* (*read_part)(MirrorballCudaTraining*, int part, float* to);
  const char* (*write_part)(MirrorballCudaTraining*, int part, const float* from);
  void (*close_training)(MirrorballCudaTraining*);

  /// Networks to draw from, their weights one after the other.
  const char* (*open_drawing)(int device, const MirrorballCudaNet*, std::size_t networks,
                              const float* const* weights, MirrorballCudaDrawing** to);
  /// counts[i] noise points of network i.
  const char* (*embed)(const MirrorballCudaDrawing*, const std::size_t* counts, const float* const* points,
                       MirrorballCudaNoise** to);
  /// out[row][target][draw], one network's draws after the other's. From several threads at once.
  const char* (*draw)(const MirrorballCudaDrawing*, const MirrorballCudaNoise*, std::size_t rows,
                      const float* numbers, const std::int32_t* codes, float* out);
  void (*close_noise)(MirrorballCudaNoise*);
  void (*close_drawing)(MirrorballCudaDrawing*);
};

using MirrorballCudaOpen = const MirrorballCuda* (*)();
}

inline constexpr const char* kMirrorballCudaOpen =
    "mirrorball_cuda_open_1";  // the number changes with the structs
