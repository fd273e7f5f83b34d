#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace mirrorball::cli {

/// A flag, or an argument that stands without one, as its help describes it.
struct FlagWords {
  std::string name;  ///< "--out"; of an argument "data"
  std::string description;
  std::string value;                 ///< what follows it, as "FILE"; empty for a switch
  std::vector<std::string> choices;  ///< that it has, where they are few
  bool required = false, repeats = false;

  bool takes_file() const;
  bool takes_folder() const;
};

struct VerbWords {
  std::string name, description, footer;
  std::vector<FlagWords> arguments, flags;  ///< what stands without a flag, and the flags
};

/// The flags of the program itself, and its commands with theirs; without what its help does not show.
VerbWords program_words(const CLI::App& app);
std::vector<VerbWords> verb_words(const CLI::App& app);

/// "mirrorball fit DATA --target COL [flags]", with one more option where it is given.
std::string synopsis(const CLI::App& verb, const CLI::Option* more = nullptr);
std::string in_capitals(std::string word);

}  // namespace mirrorball::cli
