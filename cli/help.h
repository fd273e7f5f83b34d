#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace mirrorball::cli {

/// What every command takes as a table.
inline const std::string kAboutTables =
    "Tables are CSV (separated by , ; tab or |) or ARFF, plain or compressed with gzip or zstd; - is "
    "standard input.";

/// Groups of options whose names begin so are shown by --help-all only.
inline const std::string kExpertOptions = "Expert options, ";

/// Help in two columns, the right one wrapped; what is required says so, and nothing else is added to the
/// words. --help hides the expert options and says where they are.
class HelpFormatter : public CLI::Formatter {
 public:
  explicit HelpFormatter(bool with_expert = false) : with_expert_(with_expert) {
    label("Positionals", "Arguments");
  }
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
  std::string make_group(std::string group, bool positional,
                         std::vector<const CLI::Option*> options) const override;
  std::string make_usage(const CLI::App* app, std::string name) const override;
  std::string make_footer(const CLI::App* app) const override;
  std::string make_option(const CLI::Option* option, bool positional) const override;
  std::string make_option_opts(const CLI::Option* option) const override;

 private:
  bool with_expert_;
};

}  // namespace mirrorball::cli
