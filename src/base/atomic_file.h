#pragma once

#include <functional>
#include <ostream>
#include <string>

namespace mirrorball {

/// Writes a file in one piece: into a temporary beside it, made durable, then renamed over it. If anything
/// fails, a std::runtime_error names the file and the reason, and what was there before is untouched. Where
/// the path is not a regular file (a pipe, a device) it is written to directly.
void write_atomically(const std::string& path, const std::function<void(std::ostream&)>& write);

}  // namespace mirrorball
