#pragma once

#include <functional>
#include <initializer_list>
#include <ostream>
#include <string>

namespace mirrorball::cli {

/// Results go to standard output, or, in one piece, to a file. A failure to write is an error, never silence.
void write_result(const std::string& path, const std::function<void(std::ostream&)>& write);

/// Refuses a file for the result that is one of those that are read: it would be lost.
void check_spares(const std::string& out, std::initializer_list<std::string> read);

/// Words for a person, on standard error. That nobody can hear them is no reason to lose a result.
void say(const std::string& words);

}  // namespace mirrorball::cli
