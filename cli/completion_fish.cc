#include <fmt/format.h>

#include "app_words.h"
#include "completion_scripts.h"

namespace mirrorball::cli {
namespace {

std::string fish_text(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\'' || c == '\\') safe += '\\';
    safe += c == '\n' ? ' ' : c;
  }
  return "'" + safe + "'";
}

/// How the value of a flag, or a word without one, is completed.
std::string fish_values(const FlagWords& flag) {
  if (!flag.choices.empty())
    return fmt::format(" -x -a {}", fish_text(fmt::format("{}", fmt::join(flag.choices, " "))));
  if (flag.takes_folder()) return " -x -a '(__fish_complete_directories)'";
  return flag.takes_file() ? " -r -F" : " -x";
}

std::string fish_flag(const FlagWords& flag, const std::string& condition) {
  return fmt::format("complete -c mirrorball -n {} -l {}{} -d {}\n", condition, flag.name.substr(2),
                     flag.value.empty() ? "" : fish_values(flag), fish_text(flag.description));
}

}  // namespace

std::string fish_completion(const CLI::App& app) {
  std::string text =
      "# fish completion for mirrorball, made by `mirrorball completion fish`\ncomplete -c mirrorball -f\n";
  for (const FlagWords& flag : program_words(app).flags) text += fish_flag(flag, "__fish_use_subcommand");
  for (const VerbWords& verb : verb_words(app)) {
    const std::string inside = fish_text("__fish_seen_subcommand_from " + verb.name);
    text += fmt::format("complete -c mirrorball -n __fish_use_subcommand -a {} -d {}\n", verb.name,
                        fish_text(verb.description));
    if (!verb.arguments.empty())
      text +=
          fmt::format("complete -c mirrorball -n {}{}\n", inside,
                      verb.arguments.front().choices.empty() ? " -F" : fish_values(verb.arguments.front()));
    for (const FlagWords& flag : verb.flags) text += fish_flag(flag, inside);
  }
  return text;
}

}  // namespace mirrorball::cli
