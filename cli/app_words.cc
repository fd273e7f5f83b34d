#include "app_words.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/contains.h"

namespace mirrorball::cli {
namespace {

/// "NAME:{a,b}", as CLI11 writes the type of an option whose values are listed.
std::vector<std::string> choices_in(const std::string& type) {
  const std::size_t begin = type.find(":{"), end = type.find('}', begin);
  std::vector<std::string> choices;
  if (begin == type.npos || end == type.npos) return choices;
  for (std::size_t at = begin + 2, comma; at <= end; at = comma + 1) {
    comma = std::min(type.find(',', at), end);
    choices.push_back(type.substr(at, comma - at));
  }
  return choices;
}

FlagWords words_of(const CLI::Option& option) {
  FlagWords words;
  const bool positional = option.get_positional();
  words.name = positional ? option.get_name(true) : "--" + option.get_lnames().front();
  words.description = option.get_description();
  const std::string type = option.get_type_name();
  if (option.get_items_expected_max() > 0) words.value = type.substr(0, type.find(':'));
  words.choices = choices_in(type);
  words.required = option.get_required();
  words.repeats = option.get_expected_max() > 1;
  return words;
}

VerbWords words_of(const CLI::App& app) {
  VerbWords words = {app.get_name(), app.get_description(), app.get_footer(), {}, {}};
  for (const CLI::Option* option : app.get_options())
    if (!option->get_group().empty())
      (option->get_positional() ? words.arguments : words.flags).push_back(words_of(*option));
  return words;
}

}  // namespace

bool FlagWords::takes_file() const {
  static constexpr std::array<std::string_view, 3> kValues = {"FILE", "DATA", "ROWFILE"};
  static constexpr std::array<std::string_view, 2> kWords = {"model", "data"};
  return contains(kValues, value) || (choices.empty() && contains(kWords, name));
}

bool FlagWords::takes_folder() const { return value == "DIR"; }

VerbWords program_words(const CLI::App& app) { return words_of(app); }

std::vector<VerbWords> verb_words(const CLI::App& app) {
  std::vector<VerbWords> verbs;
  for (const CLI::App* verb :
       app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); }))
    verbs.push_back(words_of(*verb));
  return verbs;
}

std::string in_capitals(std::string word) {
  for (char& c : word) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c);
  return word;
}

std::string synopsis(const CLI::App& verb, const CLI::Option* more) {
  const VerbWords words = words_of(verb);
  std::string text = "mirrorball " + words.name;
  for (const FlagWords& argument : words.arguments) {
    const std::string upper = in_capitals(argument.name);
    text += argument.required ? " " + upper : " [" + upper + "]";
  }
  const auto shown = [&](const FlagWords& flag) {
    return flag.required || (more && flag.name == more->get_name()) ||
           (words.name == "fit" && flag.name == "--out");  // only --plan does without
  };
  for (const FlagWords& each : words.flags)
    if (shown(each)) text += " " + each.name + " " + each.value;
  return text + " [flags]";
}

}  // namespace mirrorball::cli
