#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace mirrorball::cli {

/// Scripts that complete the verbs and flags of the program, and the files and names that these take.
std::string bash_completion(const CLI::App& app);
std::string zsh_completion(const CLI::App& app);
std::string fish_completion(const CLI::App& app);

}  // namespace mirrorball::cli
