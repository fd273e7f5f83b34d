#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

#include "mirrorball/options.h"

namespace mirrorball::cli {

/// Every field of Options as a flag, made from the one table of options, and --preset.
class OptionFlags {
 public:
  void add_to(CLI::App& verb);

  /// The preset with what was given by hand on top.
  Options options() const;

  /// "--members is now --networks", for each name of an earlier version that was given.
  std::vector<std::string> hints() const { return hints_; }

 private:
  struct Given {
    std::string flag, value;
  };

  void add_value(CLI::App& verb, const OptionInfo& info);
  void add_switch(CLI::App& verb, const OptionInfo& info);
  void set(const OptionInfo& info, const std::string& flag, const std::string& value);

  std::string preset_ = "default";
  std::map<std::string, Given> given_;  ///< by field name
  std::vector<std::string> hints_;
};

/// The help of flags that only earlier versions had: accepted, never shown or suggested.
inline const std::string kOldName = "a name of an earlier version";

/// "learning_rate" → "--learning-rate".
std::string flag_of(const std::string& field);
/// "--fair" → "--no-fair".
std::string off_flag_of(const std::string& flag);

/// A message of the library with flags for names of options: valid_fraction → --valid-fraction. What stands
/// in quotes is the user's own and stays.
std::string with_flags(const std::string& message);

}  // namespace mirrorball::cli
