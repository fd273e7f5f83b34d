#pragma once

#include <functional>
#include <ostream>
#include <string>

namespace mirrorball::cli {

/// Results go to standard output, or, in one piece, to a file. A failure to write is an error, never silence.
void write_result(const std::string& path, const std::function<void(std::ostream&)>& write);

}  // namespace mirrorball::cli
