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
  EXPECT_EQ(machine().gemm, expected.starts_with("avx") ? "libxsmm" : "Eigen");
  // What Highway runs is the best target that is left: its lowest bit.
  const std::map<std::string, std::int64_t> targets = {{"baseline", HWY_STATIC_TARGET},
                                                       {"sse4", HWY_SSE4},
                                                       {"avx2", HWY_AVX2},
                                                       {"avx512", HWY_AVX3},
                                                       {"avx512bf16", HWY_AVX3}};
  EXPECT_EQ(hwy::SupportedTargets() & -hwy::SupportedTargets(), targets.at(expected));
#endif
}

}  // namespace
}  // namespace mirrorball
