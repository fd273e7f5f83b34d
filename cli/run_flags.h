#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace mirrorball::cli {

/// What the verbs that draw have in common.
struct RunFlags {
  std::uint64_t seed = 0;
  unsigned threads = 0;
  std::string device = "auto";

  /// `same` says what the seed repeats, as in "draws".
  void add_seed(CLI::App& verb, const std::string& same);
  void add_threads(CLI::App& verb);
  /// Where the networks are drawn from.
  void add_device(CLI::App& verb);
};

/// Accepts `least` to `most`.
CLI::Validator whole_number(std::uint64_t least, std::uint64_t most);
CLI::Validator count_up_to(std::uint64_t most);  ///< from 1
/// Accepts a number of any size.
CLI::Validator any_number();
/// Accepts one of these words, which completion then knows.
CLI::Validator one_of(const std::vector<std::string>& words);

}  // namespace mirrorball::cli
