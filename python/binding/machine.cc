#include "mirrorball/machine.h"

#include "base/cores.h"
#include "border.h"
#include "mirrorball/version.h"

namespace mirrorball::binding {

MIRRORBALL_BORDER const char* mirrorball_version() { return MIRRORBALL_VERSION; }

MIRRORBALL_BORDER Failure* mirrorball_cores(unsigned* out) {
  return guarded([&] { *out = cores(); });
}

MIRRORBALL_BORDER Failure* mirrorball_machine(std::string** out) {
  return guarded([&] {
    const Machine found = machine();
    give(Json{{"cpu_level", found.cpu_level},
              {"gemm", found.gemm},
              {"precision", found.precision},
              {"precision_reason", found.precision_reason},
              {"cores", found.cores}},
         out);
  });
}

}  // namespace mirrorball::binding
