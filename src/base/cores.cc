#include "base/cores.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <thread>

namespace mirrorball {
namespace {

namespace fs = std::filesystem;

constexpr double kNoQuota = std::numeric_limits<double>::infinity();

std::optional<double> first_number(const fs::path& path) {
  std::ifstream file(path);
  double value = 0;
  return file >> value ? std::optional(value) : std::nullopt;
}

double share(std::optional<double> quota, std::optional<double> period) {
  return quota && period && *quota > 0 && *period > 0 ? *quota / *period : kNoQuota;
}

/// Version 2: "150000 100000" is one and a half cores, "max 100000" is no quota.
double quota_v2(const fs::path& group) {
  std::ifstream file(group / "cpu.max");
  double quota = 0, period = 0;
  return file >> quota >> period ? share(quota, period) : kNoQuota;
}

/// Version 1: a quota of -1 is none.
double quota_v1(const fs::path& group) {
  return share(first_number(group / "cpu.cfs_quota_us"), first_number(group / "cpu.cfs_period_us"));
}

/// The least quota of a group and those above it, up to where the groups are mounted. A container may see
/// its own group as the topmost, under a path that is not there: then only the mount itself answers.
template <class Quota>
double least_quota(const fs::path& mount, fs::path group, const Quota& quota) {
  double least = quota(mount);
  for (group = group.relative_path(); !group.empty(); group = group.parent_path())
    least = std::min(least, quota(mount / group));
  return least;
}

}  // namespace

double cpu_quota(const fs::path& root) {
  const fs::path mounts = root / "sys/fs/cgroup";
  std::ifstream groups(root / "proc/self/cgroup");
  double least = kNoQuota;
  for (std::string line; std::getline(groups, line);) {  // "4:cpu,cpuacct:/path", in version 2 "0::/path"
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const fs::path group = line.substr(second + 1);
    if (controllers.empty()) {
      least = std::min(least, least_quota(mounts, group, quota_v2));
    } else if (("," + controllers + ",").find(",cpu,") != std::string::npos) {
      for (const fs::path& mount : {mounts / controllers, mounts / "cpu"})
        least = std::min(least, least_quota(mount, group, quota_v1));
    }
  }
  return least;
}

unsigned cores() {
  static const double quota = std::ceil(cpu_quota());  // the affinity may change while a process runs
  double count = std::max(1u, std::thread::hardware_concurrency());
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
    count = std::min(count, static_cast<double>(CPU_COUNT(&allowed)));
  return static_cast<unsigned>(std::max(1.0, std::min(count, quota)));
}

}  // namespace mirrorball
