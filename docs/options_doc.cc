// Prints docs/options.md from the one table of options; a test compares it with the file in the tree.
#include <cctype>
#include <cstdio>
#include <string>

#include "mirrorball/options.h"

using namespace mirrorball;

namespace {

/// Ranges that end here have no end that anybody meets.
constexpr double kEndless = 1e9;

void print_head() { std::puts("\n| option | meaning | values | default |\n| --- | --- | --- | --- |"); }

std::string short_number(double number) {
  char text[64];
  std::snprintf(text, sizeof text, "%g", number);
  return text;
}

std::string values_of(const OptionInfo& info) {
  if (info.kind == "switch") return "on, off";
  if (info.kind == "size") return "auto, or a size";
  if (info.kind == "folder") return "a path";
  if (info.kind == "choice") {
    std::string values;
    for (const std::string& choice : info.choices) values += (values.empty() ? "" : ", ") + choice;
    return values;
  }
  return short_number(info.low) + (info.high < kEndless ? " to " + short_number(info.high) : " or more");
}

/// Its value in a preset.
std::string value_in(const std::string& preset_name, const OptionInfo& info) {
  const std::string value = get_option(preset(preset_name), info.name);
  if (info.kind == "switch") return value == "true" ? "on" : "off";
  return info.kind == "number" ? short_number(std::stod(value)) : value;
}

void print_row(const OptionInfo& info) {
  std::printf("| `%s` | %s | %s | %s |\n", info.name.c_str(), info.help.c_str(), values_of(info).c_str(),
              value_in("default", info).c_str());
}

/// The options in which a preset differs from the default.
void print_presets() {
  std::puts(
      "\n## Presets\n\n"
      "`--preset NAME`, or `preset=\"NAME\"` in Python, starts from other values: `paper` is the paper's DN+ "
      "network,\n`disco` DISCO Nets, `point` a network without noise that predicts the mean. The options in "
      "which they differ from\nthe default:\n");
  std::string head = "| option |", rule = "| --- |";
  for (const std::string& name : preset_list()) head += " " + name + " |", rule += " --- |";
  std::printf("%s\n%s\n", head.c_str(), rule.c_str());
  for (const OptionInfo& info : option_list()) {
    bool differs = false;
    std::string row = "| `" + info.name + "` |";
    for (const std::string& name : preset_list()) {
      differs = differs || value_in(name, info) != value_in("default", info);
      row += " " + value_in(name, info) + " |";
    }
    if (differs) std::puts(row.c_str());
  }
}

/// Names and values of earlier versions.
void print_old() {
  std::puts(
      "\n## Renamed options\n\n"
      "The names of earlier versions are still accepted, on the command line with a hint.\n\n"
      "| old | now |\n| --- | --- |");
  for (const OptionInfo& info : option_list()) {
    for (const std::string& old : info.old_names)
      std::printf("| `%s` | `%s` |\n", old.c_str(), info.name.c_str());
    for (const RenamedWord& one : info.old_choices)
      std::printf("| `%s` `%s` | `%s` `%s` |\n", info.name.c_str(), one.old_word.c_str(), info.name.c_str(),
                  one.word.c_str());
  }
}

}  // namespace

int main() {
  std::puts(
      "<!-- Made from src/options/table.cc by build/release/docs/options_doc: do not edit. -->\n\n"
      "# Options\n\n"
      "What decides a fit. Each option is a flag of `mirrorball fit` (with dashes instead of underscores), "
      "an option of\n`MirrorballRegressor`, a field of `mirrorball::Options` in C++, and an entry in the "
      "header of the model file\n(except `threads`). [Presets](#presets) have other defaults.\n\n"
      "## Training options\n\n"
      "`mirrorball fit --help` lists these.");
  print_head();
  for (const OptionInfo& info : option_list())
    if (!info.expert) print_row(info);
  std::puts(
      "\n## Expert options\n\n"
      "For research; the defaults rarely need a change. `mirrorball fit --help-all` lists them too.");
  std::string group;
  for (const OptionInfo& info : option_list()) {
    if (!info.expert) continue;
    if (info.group != group) {
      group = info.group;
      std::printf("\n### %c%s\n", std::toupper(group.front()), group.c_str() + 1);
      print_head();
    }
    print_row(info);
  }
  print_presets();
  print_old();
}
