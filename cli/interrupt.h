#pragma once

namespace mirrorball::cli {

/// From now on the first Ctrl-C (or SIGTERM) only sets a flag; a second one ends the program at once.
/// Standard error may be closed without harm.
void catch_interrupts();
bool interrupted();

}  // namespace mirrorball::cli
