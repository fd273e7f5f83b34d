#pragma once

#include <CLI/CLI.hpp>

namespace mirrorball::cli {

/// Help in two columns, the right one wrapped; what is required says so, and nothing else is added to the
/// words.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool positional) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
};

}  // namespace mirrorball::cli
