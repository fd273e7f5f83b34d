#include "base/cores.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <thread>

#include "base/control_groups.h"

namespace mirrorball {
namespace {

namespace fs = std::filesystem;

std::optional<double> first_number(const fs::path& path) {
  std::ifstream file(path);
  double value = 0;
  return file >> value ? std::optional(value) : std::nullopt;
}

double share(std::optional<double> quota, std::optional<double> period) {
  return quota && period && *quota > 0 && *period > 0 ? *quota / *period : kNoGroupLimit;
}

/// Version 2: "150000 100000" is one and a half cores, "max 100000" is no quota.
double quota_v2(const fs::path& group) {
  std::ifstream file(group / "cpu.max");
  double quota = 0, period = 0;
  return file >> quota >> period ? share(quota, period) : kNoGroupLimit;
}

/// Version 1: a quota of -1 is none.
double quota_v1(const fs::path& group) {
  return share(first_number(group / "cpu.cfs_quota_us"), first_number(group / "cpu.cfs_period_us"));
}

}  // namespace

double cpu_quota(const fs::path& root) { return control_group_limit(root, "cpu", quota_v2, quota_v1); }

unsigned cores() {
  static const double quota = std::ceil(cpu_quota());  // the affinity may change while a process runs
  double count = std::max(1u, std::thread::hardware_concurrency());
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
    count = std::min(count, static_cast<double>(CPU_COUNT(&allowed)));
  return static_cast<unsigned>(std::max(1.0, std::min(count, quota)));
}

}  // namespace mirrorball
