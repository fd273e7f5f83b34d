#include "run_flags.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>

namespace mirrorball::cli {

// CLI11 would take -1 for a very large number.
CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  return CLI::Validator(
      [least, most](std::string& text) {
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool whole = error == std::errc() && end == text.data() + text.size();
        if (whole && value >= least && value <= most) return std::string();
        return fmt::format("'{}' is not a whole number from {} to {}", text, least, most);
      },
      "");
}

CLI::Validator count_up_to(std::uint64_t most) { return whole_number(1, most); }

void RunFlags::add_seed(CLI::App& verb, const std::string& same) {
  verb.add_option("--seed", seed, fmt::format("Same seed, same {} [0]", same))
      ->type_name("N")
      ->check(whole_number(0, std::numeric_limits<std::uint64_t>::max()));
}

void RunFlags::add_threads(CLI::App& verb) {
  verb.add_option("--threads", threads, "Threads; 0 takes all cores [0]")
      ->type_name("N")
      ->check(whole_number(0, 4096));
}

}  // namespace mirrorball::cli
