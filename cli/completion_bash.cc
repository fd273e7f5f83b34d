#include <fmt/format.h>

#include "app_words.h"
#include "completion_scripts.h"

namespace mirrorball::cli {
namespace {

/// Words that bash splits at spaces: names of verbs, flags and choices have none.
std::string joined(const std::vector<FlagWords>& flags) {
  std::string text;
  for (const FlagWords& flag : flags) text += (text.empty() ? "" : " ") + flag.name;
  return text;
}

std::string action_of(const FlagWords& flag) {
  if (!flag.choices.empty()) return fmt::format("_mirrorball_words \"{}\"", fmt::join(flag.choices, " "));
  if (flag.takes_folder()) return "_mirrorball_files -d";
  return flag.takes_file() ? "_mirrorball_files -f" : ":";
}

/// What may follow a flag, and the flags and words of the verb.
std::string case_of(const VerbWords& verb) {
  std::string text = fmt::format("    {})\n      case $before in\n", verb.name);
  for (const FlagWords& flag : verb.flags)
    if (!flag.value.empty()) text += fmt::format("        {}) {}; return ;;\n", flag.name, action_of(flag));
  text += "      esac\n";
  text += fmt::format("      if [[ $word == -* ]]; then _mirrorball_words \"{}\"; else {}; fi ;;\n",
                      joined(verb.flags), verb.arguments.empty() ? ":" : action_of(verb.arguments.front()));
  return text;
}

constexpr const char* kHead = R"(# bash completion for mirrorball, made by `mirrorball completion bash`
_mirrorball_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$word"); }
_mirrorball_files() { compopt -o filenames; mapfile -t COMPREPLY < <(compgen "$1" -- "$word"); }
_mirrorball() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  COMPREPLY=()
  # --flag=value comes as three words
  if [[ $word == "=" ]]; then word=; elif [[ $before == "=" ]]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi
)";

}  // namespace

std::string bash_completion(const CLI::App& app) {
  std::string verbs = joined(program_words(app).flags), cases;
  for (const VerbWords& verb : verb_words(app)) {
    verbs += " " + verb.name;
    cases += case_of(verb);
  }
  return fmt::format(
      "{}  if ((COMP_CWORD == 1)); then _mirrorball_words \"{}\"; return; fi\n"
      "  case ${{COMP_WORDS[1]}} in\n{}  esac\n}}\ncomplete -F _mirrorball mirrorball\n",
      kHead, verbs, cases);
}

}  // namespace mirrorball::cli
