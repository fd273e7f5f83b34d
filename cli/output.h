#pragma once

#include <functional>
#include <ostream>
#include <string>

namespace mirrorball::cli {

/// Results go to standard output, or, in one piece, to a file. A failure to write is an error, never silence.
void write_result(const std::string& path, const std::function<void(std::ostream&)>& write);

/// Words for a person, on standard error. That nobody can hear them is no reason to lose a result.
void say(const std::string& words);

}  // namespace mirrorball::cli
