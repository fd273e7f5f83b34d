#pragma once

#include "engine/cuda/device/net.cuh"

namespace mirrorball::cuda {

/// Encoded rows, targets and weights of a table in the device's memory; all networks of a fit share it.
struct Table {
  Table(int on, const MirrorballCudaNet& net, std::size_t count)
      : device(on),
        number_columns(net.numbers),
        code_columns(net.codes),
        target_columns(net.targets),
        numbers(count * net.numbers),
        codes(count * net.codes),
        targets(count * net.targets),
        weights(count) {}

  void fill(std::size_t first, std::size_t count, const float* some_numbers, const std::int32_t* some_codes,
            const float* some_targets, const float* some_weights) {
    numbers.fill(some_numbers, count * number_columns, first * number_columns);
    codes.fill(some_codes, count * code_columns, first * code_columns);
    targets.fill(some_targets, count * target_columns, first * target_columns);
    weights.fill(some_weights, count, first);
  }

  int device;
  std::size_t number_columns, code_columns, target_columns;
  Memory<float> numbers;
  Memory<std::int32_t> codes;
  Memory<float> targets, weights;
};

}  // namespace mirrorball::cuda
