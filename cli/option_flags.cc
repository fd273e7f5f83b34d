#include "option_flags.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "help.h"

namespace mirrorball::cli {
namespace {

const std::string kTrainingOptions = "Training options";

}  // namespace

std::string flag_of(const std::string& field) {
  std::string flag = "--" + field;
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

void OptionFlags::add_to(CLI::App& verb) {
  verb.set_help_all_flag("--help-all", "Print this help with the expert options");
  verb.add_option("--preset", preset_,
                  fmt::format("Start from these options: {} [{}]", fmt::join(preset_list(), ", "), preset_))
      ->type_name("NAME")
      ->group(kTrainingOptions);
  const Options defaults;
  for (const OptionInfo& info : option_list()) {
    const std::string flag = flag_of(info.name);
    const std::string group = info.expert ? kExpertOptions + info.group : kTrainingOptions;
    const std::string value = get_option(defaults, info.name);
    if (info.kind == "switch") {
      const auto set = [this, name = info.name](bool on) {
        return [this, name, on](std::int64_t) { turn(name, on); };
      };
      const bool on = value == "true";
      const std::string off_flag = "--no-" + flag.substr(2);
      verb.add_flag_function(flag, set(true),
                             info.help + (on ? fmt::format("; {} turns it off [on]", off_flag) : " [off]"))
          ->group(group)
          ->disable_flag_override();
      verb.add_flag_function(off_flag, set(false))  // known, but not shown
          ->group("")
          ->disable_flag_override();
      continue;
    }
    std::string help = info.help;
    if (!info.choices.empty()) help += fmt::format(": {}", fmt::join(info.choices, ", "));
    verb.add_option_function<std::string>(
            flag, [this, name = info.name](const std::string& text) { given_[name] = text; },
            fmt::format("{} [{}]", help, value))
        ->type_name(info.kind == "integer"  ? "N"
                    : info.kind == "number" ? "X"
                                            : "NAME")
        ->group(group);
  }
}

void OptionFlags::turn(const std::string& name, bool on) {
  const std::string value = on ? "true" : "false", flag = flag_of(name);
  const auto [place, first] = given_.try_emplace(name, value);
  if (!first && place->second != value)
    bad_input("{} and --no-{} are both given: leave one of them out", flag, flag.substr(2));
}

Options OptionFlags::options() const {
  Options options = preset(preset_);
  for (const auto& [name, value] : given_) set_option(options, name, value);
  return options;
}

}  // namespace mirrorball::cli
