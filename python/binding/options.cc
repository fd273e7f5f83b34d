#include "mirrorball/options.h"

#include "border.h"

namespace mirrorball::binding {

MIRRORBALL_BORDER Failure* mirrorball_option_list(std::string** out) {
  return guarded([&] {
    Json list = Json::array();
    for (const OptionInfo& info : option_list()) {
      Json old_choices = Json::object();
      for (const RenamedWord& one : info.old_choices) old_choices[one.old_word] = one.word;
      list.push_back({{"name", info.name},
                      {"group", info.group},
                      {"kind", info.kind},
                      {"help", info.help},
                      {"choices", info.choices},
                      {"low", info.low},
                      {"high", info.high},
                      {"expert", info.expert},
                      {"old_names", info.old_names},
                      {"old_choices", old_choices}});
    }
    give(list, out);
  });
}

MIRRORBALL_BORDER Failure* mirrorball_preset_list(std::string** out) {
  return guarded([&] { give(Json(preset_list()), out); });
}

MIRRORBALL_BORDER Failure* mirrorball_options_new(Text start, Options** out) {
  return guarded([&] { *out = new Options(preset(start.view())); });
}

MIRRORBALL_BORDER void mirrorball_options_free(Options* options) { delete options; }

MIRRORBALL_BORDER Failure* mirrorball_options_set(Options* options, Text name, Text value) {
  return guarded([&] { set_option(*options, name.view(), value.view()); });
}

/// All of them as texts, by name.
MIRRORBALL_BORDER Failure* mirrorball_options_values(const Options* options, std::string** out) {
  return guarded([&] {
    Json values = Json::object();
    for (const OptionInfo& info : option_list()) values[info.name] = get_option(*options, info.name);
    give(values, out);
  });
}

}  // namespace mirrorball::binding
