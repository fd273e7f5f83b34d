#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mirrorball {

/// What the program uses of this machine. MIRRORBALL_CPU (baseline, sse4, avx2, avx512, avx512bf16
/// or amx) chooses a lower CPU level; one that the machine does not support is an error.
struct Machine {
  std::string cpu_level;  ///< instruction set of the vector kernels in use
  std::string gemm;       ///< what computes the products of matrices: "libxsmm" or "Highway"
  std::string precision;  ///< of the products in training, where `precision` is auto: "float32" or "bfloat16"
  std::string precision_reason;  ///< why that is the faster one here
  unsigned cores = 0;            ///< those this process may use: affinity and CPU quotas count
};

Machine machine();

/// The GPUs of this machine that the option `device` can name. They need libmirrorball_cuda.so (`make cuda`)
/// and an NVIDIA driver; MIRRORBALL_CUDA names the library where it is not beside the program.
struct Gpus {
  std::vector<std::string> found;  ///< each in one line
  std::string trouble;             ///< why there are none although the library is there
};
Gpus gpus();

/// Where a fit with this option `device` computes. auto takes the first GPU that can be used, and else the
/// CPU; what is named and not there is an error.
struct DeviceChoice {
  std::string name;  ///< "cpu", "cuda:0", …
  std::string note;  ///< why auto takes the CPU although libmirrorball_cuda.so is there; empty otherwise
};
DeviceChoice choose_device(std::string_view device);

}  // namespace mirrorball
