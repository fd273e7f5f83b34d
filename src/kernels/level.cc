#include "kernels/level.h"

#include <hwy/highway.h>
#include <hwy/targets.h>

#include <cstdint>
#include <cstdlib>
#include <vector>

#include "base/cores.h"
#include "base/error.h"
#include "base/suggest.h"
#include "kernels/amx.h"
#include "kernels/executable.h"
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
  bool bfloat = false, amx = false;
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
    {"amx", HWY_AVX3, "cpx", true, true},
#else
    {HWY_STATIC_TARGET == HWY_NEON ? "neon" : "baseline", HWY_STATIC_TARGET, nullptr},
#endif
  };
  return all;
}

bool has_bfloat() {
#if HWY_ARCH_X86 && defined(MIRRORBALL_LIBXSMM)
  return __builtin_cpu_supports("avx512bf16") && kernels::may_run_generated_code();
#else
  return false;
#endif
}

bool available(const Level& level) {
  if (level.bfloat && !has_bfloat()) return false;
  if (level.amx && !kernels::may_use_amx()) return false;
  return level.target == HWY_STATIC_TARGET || (hwy::SupportedTargets() & level.target) != 0;
}

/// Whether products of bfloats are the faster ones, by the maker of the CPU: a measurement could come out
/// otherwise the next time, and the same seed would give another model. Makers that are not known get floats.
void judge_bfloat(kernels::CpuLevel& level) {
  if (!level.bfloat) {
    level.precision_reason = "this level has no bfloat16 products";
    return;
  }
#if HWY_ARCH_X86
  __builtin_cpu_init();
  level.bfloat_is_faster = level.amx || __builtin_cpu_is("amd");
  level.precision_reason = level.amx                ? "AMX multiplies bfloat16 many times as fast as float32"
                           : level.bfloat_is_faster ? "AMD multiplies bfloat16 at twice the rate of float32"
                           : __builtin_cpu_is("intel")
                               ? "Intel multiplies float32 faster than bfloat16 without AMX"
                               : "bfloat16 is not known to be faster on this CPU";
#endif
}

const Level& choose() {
  const std::vector<std::string> here = kernels::available_levels();
  const char* forced = std::getenv("MIRRORBALL_CPU");
  const std::string wish = forced && *forced ? forced : here.back();
  for (const Level& level : levels())
    if (level.name == wish && available(level)) return level;
  bad_input("MIRRORBALL_CPU={} is not supported on this CPU; available: {}{}", wish, listing(here),
            did_you_mean(wish, here));
}

kernels::CpuLevel settle() {
  const Level& level = choose();
  // Lower bits are better targets: forbid all of those.
  hwy::DisableTargets(level.target - 1);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  kernels::CpuLevel chosen{level.name, false, level.bfloat, level.amx, false, ""};
  judge_bfloat(chosen);
#ifdef MIRRORBALL_LIBXSMM
  if (level.xsmm_arch && kernels::may_run_generated_code()) {
    libxsmm_init();
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
  return {level.name, level.jit ? "libxsmm" : "Highway", level.bfloat_is_faster ? "bfloat16" : "float32",
          level.precision_reason, cores()};
}

}  // namespace mirrorball
