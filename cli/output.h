#pragma once

#include <functional>
#include <initializer_list>
#include <ostream>
#include <span>
#include <string>

namespace mirrorball::cli {

/// Results go to standard output, or, in one piece, to a file, packed where its name ends in .gz or .zst. A
/// failure to write is an error, never silence.
void write_result(const std::string& path, const std::function<void(std::ostream&)>& write);

/// Refuses a file for the result that is one of those that are read: it would be lost.
/// `tables` are names and patterns.
void check_spares(const std::string& out, std::initializer_list<std::string> read,
                  std::span<const std::string> tables = {});

/// Words for a person, on standard error. That nobody can hear them is no reason to lose a result.
void say(const std::string& words);
/// "warning: …" on standard error, broken between words on a terminal.
void warn(const std::string& text);
std::string warning_line(const std::string& text);
/// "note: …", for what need not be wrong.
std::string note_line(const std::string& text);

}  // namespace mirrorball::cli
