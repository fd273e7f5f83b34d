#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>

namespace mirrorball {

inline constexpr double kNoGroupLimit = std::numeric_limits<double>::infinity();

/// The least limit of a control group and those above it, up to where the groups are mounted. A container may
/// see its own group as the topmost, under a path that is not there: then only the mount itself answers.
template <class Limit>
double least_limit(const std::filesystem::path& mount, std::filesystem::path group, const Limit& limit) {
  double least = limit(mount);
  for (group = group.relative_path(); !group.empty(); group = group.parent_path())
    least = std::min(least, limit(mount / group));
  return least;
}

/// The least limit that the control groups of this process set, version 1 (of `controller`) and version 2;
/// infinity where there is none. `root` is the folder in which /proc and /sys lie.
template <class Limit2, class Limit1>
double control_group_limit(const std::filesystem::path& root, std::string_view controller,
                           const Limit2& version2, const Limit1& version1) {
  const std::filesystem::path mounts = root / "sys/fs/cgroup";
  std::ifstream groups(root / "proc/self/cgroup");
  double least = kNoGroupLimit;
  for (std::string line; std::getline(groups, line);) {  // "4:cpu,cpuacct:/path", in version 2 "0::/path"
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::filesystem::path group = line.substr(second + 1);
    if (controllers.empty()) {
      least = std::min(least, least_limit(mounts, group, version2));
    } else if (("," + controllers + ",").find("," + std::string(controller) + ",") != std::string::npos) {
      for (const std::filesystem::path& mount : {mounts / controllers, mounts / controller})
        least = std::min(least, least_limit(mount, group, version1));
    }
  }
  return least;
}

}  // namespace mirrorball
