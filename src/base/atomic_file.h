#pragma once

#include <functional>
#include <ostream>
#include <string>

namespace mirrorball {

/// Writes a file in one piece: into a temporary beside it, made durable, then renamed over it. If anything
/// fails, a std::runtime_error names the file and the reason, and what was there before is untouched. Where
/// the path is not a regular file (a pipe, a device) it is written to directly. A symbolic link stays one.
void write_atomically(const std::string& path, const std::function<void(std::ostream&)>& write);

/// Throws what `write_atomically` would for a path that cannot be written, without leaving anything.
void check_writable(const std::string& path);

}  // namespace mirrorball
