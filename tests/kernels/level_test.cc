#include "kernels/level.h"

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <cstdlib>
#include <map>

#include "mirrorball/machine.h"

namespace mirrorball {
namespace {

/// A run under a forced level must be a run of that level: otherwise the tests after this one prove nothing.
TEST(Level, TheForcedOneRuns) {
  const char* forced = std::getenv("MIRRORBALL_CPU");
  const std::string expected = forced ? forced : kernels::available_levels().back();
  EXPECT_EQ(kernels::cpu_level().name, expected);
  EXPECT_EQ(machine().cpu_level, expected);
#if HWY_ARCH_X86
  EXPECT_EQ(machine().gemm, expected == "baseline" || expected == "sse4" ? "Highway" : "libxsmm");
  // What Highway runs is the best target that is left: its lowest bit. The baseline depends on the compiler.
  const std::int64_t runs = hwy::SupportedTargets() & -hwy::SupportedTargets();
  const std::map<std::string, std::int64_t> targets = {{"sse4", HWY_SSE4},
                                                       {"avx2", HWY_AVX2},
                                                       {"avx512", HWY_AVX3},
                                                       {"avx512bf16", HWY_AVX3},
                                                       {"amx", HWY_AVX3}};
  if (expected == "baseline")
    EXPECT_GT(runs, HWY_SSE4);
  else
    EXPECT_EQ(runs, targets.at(expected));
#endif
}

}  // namespace
}  // namespace mirrorball
