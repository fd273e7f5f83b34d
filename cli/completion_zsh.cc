#include <fmt/format.h>

#include "app_words.h"
#include "completion_scripts.h"

namespace mirrorball::cli {
namespace {

/// For a place between single quotes where brackets and colons have a meaning.
std::string zsh_text(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\'') {
      safe += "'\\''";
    } else {
      if (c == '[' || c == ']' || c == ':' || c == '\\') safe += '\\';
      safe += c == '\n' ? ' ' : c;
    }
  }
  return safe;
}

std::string zsh_action(const FlagWords& flag) {
  if (!flag.choices.empty()) return fmt::format("({})", fmt::join(flag.choices, " "));
  if (flag.takes_folder()) return "_files -/";
  return flag.takes_file() ? "_files" : " ";
}

std::string zsh_flag(const FlagWords& flag) {
  if (flag.value.empty()) return fmt::format("'{}[{}]'", flag.name, zsh_text(flag.description));
  return fmt::format("'{}{}=[{}]:{}:{}'", flag.repeats ? "*" : "", flag.name, zsh_text(flag.description),
                     zsh_text(flag.value), zsh_action(flag));
}

std::string zsh_case(const VerbWords& verb) {
  std::string text = fmt::format("        {})\n          _arguments", verb.name);
  for (const FlagWords& flag : verb.flags) text += " \\\n            " + zsh_flag(flag);
  for (std::size_t i = 0; i < verb.arguments.size(); ++i)
    text += fmt::format(" \\\n            '{}:{}:{}'", i + 1, zsh_text(verb.arguments[i].name),
                        zsh_action(verb.arguments[i]));
  return text + " ;;\n";
}

}  // namespace

std::string zsh_completion(const CLI::App& app) {
  std::string flags, verbs, cases;
  for (const FlagWords& flag : program_words(app).flags) flags += zsh_flag(flag) + " ";
  for (const VerbWords& verb : verb_words(app)) {
    verbs += fmt::format("        '{}:{}'\n", verb.name, zsh_text(verb.description));
    cases += zsh_case(verb);
  }
  return fmt::format(
      "#compdef mirrorball\n# zsh completion for mirrorball, made by `mirrorball completion zsh`\n"
      "_mirrorball() {{\n  local curcontext=$curcontext state line\n  typeset -A opt_args\n"
      "  _arguments -C {}'1:command:->command' '*::word:->words'\n"
      "  case $state in\n    command)\n      local -a commands=(\n{}      )\n      _describe command "
      "commands ;;\n"
      "    words)\n      case $line[1] in\n{}      esac ;;\n  esac\n}}\n"
      "if [[ $funcstack[1] == _mirrorball ]]; then _mirrorball \"$@\"; else compdef _mirrorball mirrorball; "
      "fi\n",
      flags, verbs, cases);
}

}  // namespace mirrorball::cli
