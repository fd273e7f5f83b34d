#pragma once

#include <filesystem>

namespace mirrorball {

/// The cores this process may use, at least 1: no more than the machine has, its affinity mask allows and the
/// CPU quota of its control groups pays for (rounded up).
unsigned cores();

/// The CPU quota of this process's control groups (version 1 or 2), in cores; infinity where there is none.
/// `root` is the folder in which /proc and /sys lie.
double cpu_quota(const std::filesystem::path& root = "/");

}  // namespace mirrorball
