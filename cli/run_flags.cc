#include "run_flags.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "base/contains.h"
#include "base/suggest.h"
#include "mirrorball/options.h"

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

CLI::Validator any_number() {
  return CLI::Validator(
      [](std::string& text) {
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        return error == std::errc() && end == text.data() + text.size()
                   ? std::string()
                   : fmt::format("'{}' is not a number", text);
      },
      "");
}

CLI::Validator one_of(const std::vector<std::string>& words) {
  return CLI::Validator(
      [words](std::string& text) {
        return contains(words, text)
                   ? std::string()
                   : fmt::format("'{}' is not one of {}{}", text, listing(words), did_you_mean(text, words));
      },
      fmt::format("{{{}}}", fmt::join(words, ",")));
}

void RunFlags::add_seed(CLI::App& verb, const std::string& same) {
  verb.add_option("--seed", seed, fmt::format("Random seed; the same seed gives the same {} [0]", same))
      ->type_name("N")
      ->check(whole_number(0, std::numeric_limits<std::uint64_t>::max()));
}

void RunFlags::add_threads(CLI::App& verb) {
  verb.add_option("--threads", threads, "Number of threads; 0 = all cores [0]")
      ->type_name("N")
      ->check(whole_number(0, 4096));
}

void RunFlags::add_device(CLI::App& verb) {
  verb.add_option("--device", device,
                  "Device that computes the samples of the networks: cpu, cuda or cuda:N; auto = cpu [auto]")
      ->type_name("NAME:{auto,cpu,cuda}")
      ->check(CLI::Validator(
          [](std::string& text) {
            Options options;
            set_option(options, "device", text, "--device");  // throws for another word
            return std::string();
          },
          ""));
}

}  // namespace mirrorball::cli
