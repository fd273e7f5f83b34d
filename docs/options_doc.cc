// Prints docs/options.md from the one table of options; a test compares it with the file in the tree.
#include <cstdio>

#include "mirrorball/options.h"

using namespace mirrorball;

namespace {

void print_head() {
  std::printf("\n| option | meaning | values |");
  for (const std::string& name : preset_list()) std::printf(" %s |", name.c_str());
  std::printf("\n| --- | --- | --- |");
  for (std::size_t i = 0; i < preset_list().size(); ++i) std::printf(" --- |");
  std::printf("\n");
}

std::string values_of(const OptionInfo& info) {
  if (info.kind == "switch") return "on, off";
  if (info.kind == "choice") {
    std::string values;
    for (const std::string& choice : info.choices) values += (values.empty() ? "" : ", ") + choice;
    return values;
  }
  char range[64];
  std::snprintf(range, sizeof range, "%g to %g", info.low, info.high);
  return range;
}

void print_row(const OptionInfo& info) {
  std::printf("| `%s` | %s | %s |", info.name.c_str(), info.help.c_str(), values_of(info).c_str());
  for (const std::string& name : preset_list()) {
    const std::string value = get_option(preset(name), info.name);
    std::printf(" %s |", info.kind != "switch" ? value.c_str() : value == "true" ? "on" : "off");
  }
  std::printf("\n");
}

}  // namespace

int main() {
  std::puts(
      "# Options\n\n"
      "Made from the table in `src/options/table.cc` by `build/release/docs/options_doc`; do not edit by "
      "hand.\n"
      "Each is a field of `mirrorball::Options`, a flag of `mirrorball fit` (with dashes instead of "
      "underscores), a\nkeyword of `MirrorballRegressor`, and an entry in the header of the model file "
      "(except "
      "`threads`). The last columns\nare the presets of `--preset`.\n\n"
      "## Training options\n\n"
      "`mirrorball fit --help` lists these.");
  print_head();
  for (const OptionInfo& info : option_list())
    if (!info.expert) print_row(info);
  std::puts(
      "\n## Expert options\n\n"
      "Research knobs: their defaults rarely need a change. `mirrorball fit --help-all` lists them too.");
  std::string group;
  for (const OptionInfo& info : option_list()) {
    if (!info.expert) continue;
    if (info.group != group) {
      group = info.group;
      std::printf("\n### %s\n", group.c_str());
      print_head();
    }
    print_row(info);
  }
}
