#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>

namespace mirrorball::cli {

/// What the verbs that draw have in common.
struct RunFlags {
  std::uint64_t seed = 0;
  unsigned threads = 0;

  /// `same` says what the seed repeats, as in "draws".
  void add_seed(CLI::App& verb, const std::string& same);
  void add_threads(CLI::App& verb);
};

/// Accepts `least` to `most`.
CLI::Validator whole_number(std::uint64_t least, std::uint64_t most);
CLI::Validator count_up_to(std::uint64_t most);  ///< from 1

}  // namespace mirrorball::cli
