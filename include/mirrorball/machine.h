#pragma once

#include <string>

namespace mirrorball {

/// What runs on this machine. MIRRORBALL_CPU (baseline, sse4, avx2, avx512 or avx512bf16) forces a lower
/// level; asking for one the machine does not have is an error.
struct Machine {
  std::string cpu_level;  ///< instruction set of the vector kernels in use
  std::string gemm;       ///< "libxsmm" or "Eigen"
  unsigned cores = 0;     ///< those this process may use: affinity and CPU quotas count
};

Machine machine();

}  // namespace mirrorball
