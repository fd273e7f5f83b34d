#include "exit_codes.h"

namespace mirrorball::cli {

std::vector<ExitCode> exit_codes() {
  return {{kDone, "success"},
          {kFailed, "out of memory"},
          {kBadInput, "wrong usage or input, a file cannot be read or written, or training diverged"},
          {kInterrupted, "interrupted; a fit saved the best model so far"}};
}

}  // namespace mirrorball::cli
