#pragma once

#include <string>
#include <vector>

namespace mirrorball::kernels {

/// The instruction set the kernels use: the best this machine has, or the one named by MIRRORBALL_CPU.
/// Settled on first use, before any kernel runs; asking for a level that is not there throws.
struct CpuLevel {
  std::string name;  ///< "baseline", "sse4", "avx2", "avx512" or "avx512bf16"; elsewhere Highway's own name
  bool jit = false;  ///< products by libxsmm, generated for this level; otherwise by Eigen
  bool bfloat = false;  ///< products of bfloat16 numbers, twice as fast
};

const CpuLevel& cpu_level();

/// Highway's choice among the versions of a kernel, at the level that is settled: what MIRRORBALL_CPU says
/// holds for the first kernel that runs, whoever calls it.
#define MIRRORBALL_DISPATCH(kernel) \
  (static_cast<void>(::mirrorball::kernels::cpu_level()), HWY_DYNAMIC_DISPATCH(kernel))

/// The levels this machine has, from the lowest up.
std::vector<std::string> available_levels();

}  // namespace mirrorball::kernels
