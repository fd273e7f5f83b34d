#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>

#include "mirrorball/options.h"

namespace mirrorball::cli {

/// Every field of Options as a flag, made from the one table of options, and --preset.
class OptionFlags {
 public:
  void add_to(CLI::App& verb);

  /// The preset with what was given by hand on top.
  Options options() const;

 private:
  void turn(const std::string& name, bool on);

  std::string preset_ = "default";
  std::map<std::string, std::string> given_;  ///< by field name
};

/// "learning_rate" → "--learning-rate".
std::string flag_of(const std::string& field);

}  // namespace mirrorball::cli
