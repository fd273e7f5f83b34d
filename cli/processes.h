#pragma once

#include <functional>
#include <string>

#include "group/group.h"

namespace mirrorball::cli {

/// Runs body(group) with the processes that a launcher such as mpirun started; usually this one alone. A
/// failure that the others cannot know of ends all of them, with one line that names the process.
void in_all_processes(const std::function<void(const group::Group&)>& body);

/// How the networks are spread over several processes, in a line; empty for one process.
std::string share_of_work(const group::Group& group, int networks);

}  // namespace mirrorball::cli
