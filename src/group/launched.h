#pragma once

#include "group/group.h"

namespace mirrorball::group {

/// Joins the processes that a launcher such as mpirun started with this one; from then on they are the
/// default group. One process alone, which its surroundings show, joins nobody. Throws where several were
/// started and this installation has no MPI.
const Group& join_launched();

/// The last call of a process that joined: without it, the launcher takes its end for a failure.
void leave_launched();

}  // namespace mirrorball::group
