// Prints docs/options.md from the one table of options; a test compares it with the file in the tree.
#include <cstdio>

#include "mirrorball/options.h"

using namespace mirrorball;

int main() {
  std::puts(
      "# Options\n\n"
      "Made from the table in `src/options/options.cc` by `build/release/docs/options_doc`; do not edit by "
      "hand.\n"
      "Each is a field of `mirrorball::Options`, a flag of `mirrorball fit` (with dashes instead of "
      "underscores), and "
      "an\nentry in the header of the model file (but for `threads`). The columns are the presets of "
      "`--preset`.\n");
  std::string group;
  for (const OptionInfo& info : option_list()) {
    if (info.group != group) {
      group = info.group;
      std::printf("\n## %s\n\n| option | meaning | values |", group.c_str());
      for (const std::string& name : preset_list()) std::printf(" %s |", name.c_str());
      std::printf("\n| --- | --- | --- |");
      for (std::size_t i = 0; i < preset_list().size(); ++i) std::printf(" --- |");
      std::printf("\n");
    }
    std::string values = "on, off";
    if (info.kind == "choice") {
      values.clear();
      for (const std::string& choice : info.choices) values += (values.empty() ? "" : ", ") + choice;
    } else if (info.kind != "switch") {
      char range[64];
      std::snprintf(range, sizeof range, "%g to %g", info.low, info.high);
      values = range;
    }
    std::printf("| `%s` | %s | %s |", info.name.c_str(), info.help.c_str(), values.c_str());
    for (const std::string& name : preset_list()) {
      const std::string value = get_option(preset(name), info.name);
      std::printf(" %s |", info.kind != "switch" ? value.c_str() : value == "true" ? "on" : "off");
    }
    std::printf("\n");
  }
}
