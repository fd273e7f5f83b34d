#pragma once

#include <string>
#include <vector>

namespace mirrorball::kernels {

/// The instruction set the kernels use: the best this machine has, or the one named by MIRRORBALL_CPU.
/// Settled on first use, before any kernel runs; asking for a level that is not there throws.
struct CpuLevel {
  /// "baseline", "sse4", "avx2", "avx512", "avx512bf16" or "amx"; on 64-bit ARM "neon"
  std::string name;
  bool jit = false;     ///< products by libxsmm, generated for this level; otherwise by portable_gemm
  bool bfloat = false;  ///< there are products of bfloat16 numbers
  bool amx = false;     ///< and they run in AMX tiles
  bool bfloat_is_faster = false;  ///< and they take less time than those of floats
  std::string precision_reason;   ///< why, or why not, in words
};

const CpuLevel& cpu_level();

/// Highway's choice among the versions of a kernel, at the level that is settled: what MIRRORBALL_CPU says
/// holds for the first kernel that runs, whoever calls it.
#define MIRRORBALL_DISPATCH(kernel) \
  (static_cast<void>(::mirrorball::kernels::cpu_level()), HWY_DYNAMIC_DISPATCH(kernel))

/// The levels this machine has, from the lowest up.
std::vector<std::string> available_levels();

}  // namespace mirrorball::kernels
