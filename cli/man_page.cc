#include <fmt/format.h>

#include "app_words.h"
#include "exit_codes.h"
#include "help.h"
#include "mirrorball/version.h"
#include "output.h"
#include "verbs.h"

namespace mirrorball::cli {
namespace {

/// Text as troff takes it: no line begins with a dot or a quote by accident, and dashes can be copied.
std::string troff(const std::string& text, const char* line_end = "\n") {
  std::string safe;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) safe += "\\&";
    if (c == '\\') {
      safe += "\\e";
    } else if (c == '\n') {
      safe += line_end;
    } else {
      if (c == '-') safe += '\\';
      safe += c;
    }
    line_begins = c == '\n';
  }
  return safe;
}

std::string man_flag(const FlagWords& each) {
  const std::string value =
      each.value.empty() || !each.name.starts_with("-") ? "" : " \\fI" + each.value + "\\fR";
  const std::string name = each.name.starts_with("-") ? each.name : in_capitals(each.name);
  return fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", troff(name), value, troff(each.description));
}

std::string man_verb(const VerbWords& verb, const std::string& usage) {
  std::string text =
      fmt::format(".SS {}\n.B {}\n.PP\n{}.\n", verb.name, troff(usage), troff(verb.description));
  for (const FlagWords& word : verb.arguments) text += man_flag(word);
  for (const FlagWords& each : verb.flags) text += man_flag(each);
  if (!verb.footer.empty()) text += fmt::format(".PP\n{}\n", troff(verb.footer, "\n.br\n"));
  return text;
}

constexpr const char* kExamples = R"(.SH EXAMPLES
.EX
mirrorball fit train.csv \-\-target y \-\-out model.mirrorball
mirrorball predict model.mirrorball test.csv \-\-id key \-\-mean \-\-interval 0.95 \-\-out test.csv.gz
mirrorball score model.mirrorball test.csv
mirrorball explain model.mirrorball test.csv \-\-row 3
.EE
)";

std::string man_page(const CLI::App& app) {
  const VerbWords program = program_words(app);
  std::string text = fmt::format(
      ".TH MIRRORBALL 1 \"\" \"mirrorball {}\" \"User Commands\"\n.SH NAME\nmirrorball \\- "
      "predictive distributions from tables\n.SH SYNOPSIS\n.B mirrorball\n.I COMMAND\n.RI [ ARGUMENTS ]\n"
      ".SH DESCRIPTION\n{}\n.PP\n{}\n.SH OPTIONS\n",
      MIRRORBALL_VERSION, troff(program.description), troff(kAboutTables));
  for (const FlagWords& each : program.flags) text += man_flag(each);
  text += ".SH COMMANDS\n";
  for (const VerbWords& verb : verb_words(app))
    text += man_verb(verb, synopsis(*app.get_subcommand(verb.name)));
  text += ".SH EXIT STATUS\n";
  for (const ExitCode& one : exit_codes())
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", one.code, troff(one.meaning));
  text +=
      ".SH ENVIRONMENT\n.TP\n\\fBMIRRORBALL_CPU\\fR\nInstruction set to use: baseline, sse4, avx2, avx512, "
      "avx512bf16 or amx [the best of this machine]\n.TP\n\\fBMIRRORBALL_TOKEN\\fR\nBearer token of "
      "\\fBmirrorball serve\\fR, as \\fB\\-\\-token\\fR gives it\n";
  return text + kExamples;
}

}  // namespace

/// Not shown in the help: the build makes the page that `man mirrorball` shows.
void add_man(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("man", "Print the man page of the program");
  verb->group("");
  verb->callback([&app] { write_result("", [&](std::ostream& out) { out << man_page(app); }); });
}

}  // namespace mirrorball::cli
