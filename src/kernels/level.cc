#include "kernels/level.h"

#include <hwy/highway.h>
#include <hwy/targets.h>

#include <cstdint>
#include <cstdlib>
#include <vector>

#include "base/cores.h"
#include "base/error.h"
#include "base/suggest.h"
#include "mirrorball/machine.h"

#ifdef MIRRORBALL_LIBXSMM
#include <libxsmm.h>
#endif

namespace mirrorball {
namespace {

struct Level {
  std::string name;
  std::int64_t target;    ///< Highway's bit
  const char* xsmm_arch;  ///< libxsmm's name, or null where its generator is of no use
  bool bfloat = false;
};

// From the lowest up.
const std::vector<Level>& levels() {
  static const std::vector<Level> all = {
#if HWY_ARCH_X86
    {"baseline", HWY_STATIC_TARGET, nullptr},
    {"sse4", HWY_SSE4, nullptr},
    {"avx2", HWY_AVX2, "hsw"},
    {"avx512", HWY_AVX3, "skx"},
    {"avx512bf16", HWY_AVX3, "cpx", true},
#else
    {hwy::TargetName(HWY_STATIC_TARGET), HWY_STATIC_TARGET, nullptr},
#endif
  };
  return all;
}

bool has_bfloat() {
#if HWY_ARCH_X86 && defined(MIRRORBALL_LIBXSMM)
  return __builtin_cpu_supports("avx512bf16");
#else
  return false;
#endif
}

bool available(const Level& level) {
  if (level.bfloat && !has_bfloat()) return false;
  return level.target == HWY_STATIC_TARGET || (hwy::SupportedTargets() & level.target) != 0;
}

const Level& choose() {
  const std::vector<std::string> here = kernels::available_levels();
  const char* forced = std::getenv("MIRRORBALL_CPU");
  const std::string wish = forced && *forced ? forced : here.back();
  for (const Level& level : levels())
    if (level.name == wish && available(level)) return level;
  bad_input("MIRRORBALL_CPU '{}' is not to be had on this machine: it has {}{}", wish, listing(here),
            did_you_mean(wish, here));
}

kernels::CpuLevel settle() {
  const Level& level = choose();
  // Lower bits are better targets: forbid all of those.
  hwy::DisableTargets(level.target - 1);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  kernels::CpuLevel chosen{level.name, false, level.bfloat};
#ifdef MIRRORBALL_LIBXSMM
  libxsmm_init();
  if (level.xsmm_arch) {
    libxsmm_set_target_arch(level.xsmm_arch);
    chosen.jit = true;
  }
#endif
  return chosen;
}

}  // namespace

std::vector<std::string> kernels::available_levels() {
  std::vector<std::string> names;
  for (const Level& level : levels())
    if (available(level)) names.push_back(level.name);
  return names;
}

const kernels::CpuLevel& kernels::cpu_level() {
  static const kernels::CpuLevel level = settle();
  return level;
}

Machine machine() {
  const kernels::CpuLevel& level = kernels::cpu_level();
  return {level.name, level.jit ? "libxsmm" : "Eigen", cores()};
}

}  // namespace mirrorball
