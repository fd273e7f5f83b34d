#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace mirrorball::cli {

/// What is wrong with a command line that could not be parsed, and what to do about it.
std::string parse_error_text(const CLI::App& app, const CLI::ParseError& error);

}  // namespace mirrorball::cli
