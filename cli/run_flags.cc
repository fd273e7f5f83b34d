#include "run_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace mirrorball::cli {
namespace {

bool whole_number(const std::string& text) {
  return !text.empty() && text.size() < 20 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// CLI11 would take -1 for a very large number.
CLI::Validator number_between(std::size_t least, std::size_t most) {
  return CLI::Validator(
      [least, most](std::string& text) {
        if (whole_number(text) && std::stoull(text) >= least && std::stoull(text) <= most)
          return std::string();
        return fmt::format("'{}' is not a whole number from {} to {}", text, least, most);
      },
      "");
}

}  // namespace

CLI::Validator count_up_to(std::size_t most) { return number_between(1, most); }

void RunFlags::add_seed(CLI::App& verb, const std::string& same) {
  verb.add_option("--seed", seed, fmt::format("Same seed, same {} [0]", same))
      ->type_name("N")
      ->check(number_between(0, 9999999999999999999u));
}

void RunFlags::add_threads(CLI::App& verb) {
  verb.add_option("--threads", threads, "Threads; 0 takes all cores [0]")
      ->type_name("N")
      ->check(number_between(0, 4096));
}

}  // namespace mirrorball::cli
