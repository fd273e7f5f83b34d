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
  } catch (const group::FailedElsewhere&) {
    // Of a failure in a team the others may not know: the process that tells it ends this one here.
    if (!group::failed_together()) group.gather({});
    group::leave_launched();
    throw;
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
  const int each = networks / size, rest = networks % size;
  if (each == 0)
    return fmt::format("{} processes share the training steps of the {}\n", size,
                       networks == 1 ? "network" : fmt::format("{} networks", networks));
  return fmt::format("{} processes share the {} networks: {} each{}\n", size, networks, each,
                     rest > 0 ? fmt::format(", and the training steps of the last {}", rest) : "");
}

}  // namespace mirrorball::cli
