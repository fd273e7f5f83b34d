#pragma once

#include <string>
#include <vector>

namespace mirrorball::cli {

inline constexpr int kDone = 0, kFailed = 1, kBadInput = 2, kInterrupted = 130;

struct ExitCode {
  int code;
  std::string meaning;
};

/// Every code that the program ends with, for help and man page.
std::vector<ExitCode> exit_codes();

}  // namespace mirrorball::cli
