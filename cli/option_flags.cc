#include "option_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/error.h"
#include "help.h"

namespace mirrorball::cli {
namespace {

const std::string kTrainingOptions = "Training options";

/// As the help of other flags begins.
std::string sentence(std::string help) {
  help[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(help[0])));
  return help;
}

std::string group_of(const OptionInfo& info) {
  return info.expert ? kExpertOptions + info.group : kTrainingOptions;
}

}  // namespace

std::string flag_of(const std::string& field) {
  std::string flag = "--" + field;
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

std::string off_flag_of(const std::string& flag) { return "--no-" + flag.substr(2); }

std::string with_flags(const std::string& message) {
  std::string text, word;
  bool quoted = false;
  for (const char c : message + '\0') {
    if (!quoted && (c == '_' || std::isalnum(static_cast<unsigned char>(c)))) {
      word += c;
      continue;
    }
    const bool option =
        word.find('_') != word.npos && std::any_of(option_list().begin(), option_list().end(),
                                                   [&](const OptionInfo& info) { return info.name == word; });
    text += option ? flag_of(word) : word;
    word.clear();
    text += c;
    if (c == '\'') quoted = !quoted;
  }
  text.pop_back();
  return text;
}

void OptionFlags::add_to(CLI::App& verb) {
  verb.set_help_all_flag("--help-all", "Print this help with the expert options");
  verb.add_option(
          "--preset", preset_,
          fmt::format("Starting values of the options: {} [{}]", fmt::join(preset_list(), ", "), preset_))
      ->type_name(fmt::format("NAME:{{{}}}", fmt::join(preset_list(), ",")))
      ->group(kTrainingOptions);
  for (const OptionInfo& info : option_list())
    info.kind == "switch" ? add_switch(verb, info) : add_value(verb, info);
}

void OptionFlags::add_value(CLI::App& verb, const OptionInfo& info) {
  const auto add = [&](const std::string& flag, const std::string& help) {
    return verb.add_option_function<std::string>(
        flag, [this, &info, flag](const std::string& text) { set(info, flag, text); }, help);
  };
  std::string help = sentence(info.help);
  if (!info.choices.empty()) help += fmt::format(": {}", fmt::join(info.choices, ", "));
  const std::string usual = get_option({}, info.name);
  if (!usual.empty()) help += fmt::format(" [{}]", usual);
  add(flag_of(info.name), help)
      ->type_name(info.kind == "integer"  ? "N"
                  : info.kind == "number" ? "X"
                  : info.kind == "size"   ? "SIZE"
                  : info.kind == "folder" ? "FOLDER"
                                          : fmt::format("NAME:{{{}}}", fmt::join(info.choices, ",")))
      ->group(group_of(info));
  for (const std::string& old : info.old_names) add(flag_of(old), kOldName)->group("");
}

void OptionFlags::add_switch(CLI::App& verb, const OptionInfo& info) {
  const auto add = [&](const std::string& flag, bool on, const std::string& help) {
    return verb
        .add_flag_function(
            flag, [this, &info, flag, on](std::int64_t) { set(info, flag, on ? "true" : "false"); }, help)
        ->disable_flag_override();
  };
  const bool on = get_option({}, info.name) == "true";
  const std::string off_flag = off_flag_of(flag_of(info.name));
  add(flag_of(info.name), true,
      sentence(info.help) + (on ? fmt::format("; {} turns it off [on]", off_flag) : " [off]"))
      ->group(group_of(info));
  add(off_flag, false, "")->group("");  // accepted, but not shown
  for (const std::string& old : info.old_names) {
    add(flag_of(old), true, kOldName)->group("");
    add(off_flag_of(flag_of(old)), false, kOldName)->group("");
  }
}

void OptionFlags::set(const OptionInfo& info, const std::string& flag, const std::string& value) {
  const auto [place, first] = given_.try_emplace(info.name, Given{flag, value});
  if (!first && place->second.flag != flag)
    bad_input("{} and {} set the same option: give one of them", place->second.flag, flag);
  const std::string now = flag.starts_with("--no-") && info.kind == "switch" ? off_flag_of(flag_of(info.name))
                                                                             : flag_of(info.name);
  if (flag != now) hints_.push_back(fmt::format("{} is now {}", flag, now));
  for (const RenamedWord& renamed : info.old_choices)
    if (value == renamed.old_word)
      hints_.push_back(fmt::format("{0} {1} is now {0} {2}", now, value, renamed.word));
}

Options OptionFlags::options() const {
  Options options = preset(preset_);
  for (const auto& [name, given] : given_) set_option(options, name, given.value, flag_of(name));
  return options;
}

}  // namespace mirrorball::cli
