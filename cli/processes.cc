#include "processes.h"

#include <fmt/format.h>

#include <algorithm>

#include "exit_codes.h"
#include "group/launched.h"
#include "group/together.h"
#include "output.h"

namespace mirrorball::cli {

void in_all_processes(const std::function<void(const group::Group&)>& body) {
  const group::Group& group = group::join_launched();
  try {
    body(group);
  } catch (const std::exception& error) {
    if (group.size() > 1 && !group::failed_together()) {
      say(fmt::format("mirrorball: process {} of {} failed, and all end: {}\n", group.rank(), group.size(),
                      error.what()));
      group.end_all(kBadInput);
    }
    group::leave_launched();
    throw;
  }
  group::leave_launched();
}

std::string share_of_work(const group::Group& group, int networks) {
  if (group.size() == 1) return "";
  const auto size = static_cast<int>(group.size());
  const int most = (networks + size - 1) / size, idle = std::max(0, size - networks);
  return fmt::format("{} processes share the {} networks: {}{} each{}\n", size, networks,
                     networks % size == 0 || networks < size ? "" : "up to ", most,
                     idle > 0 ? fmt::format(", {} process{} without any", idle, idle == 1 ? "" : "es") : "");
}

}  // namespace mirrorball::cli
