#include <cstdio>
#include <sstream>

#include "fixture.h"

namespace mirrorball::cli_test {
namespace {

class CliCompletion : public CliTest {
 protected:
  /// What a shell command prints, in the test's folder.
  std::string shell(const std::string& command) const {
    const std::string all = "cd '" + folder() + "' && " + command;
    FILE* pipe = popen(all.c_str(), "r");
    std::string text;
    for (int c; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
    EXPECT_EQ(pclose(pipe), 0) << command;
    return text;
  }

  /// What bash offers for the last of the words, one a line.
  Words offered(const std::string& words) const {
    const std::string text = shell("bash -c 'compopt() { :; }; source ./script; COMP_WORDS=(" + words +
                                   "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _mirrorball; printf \"%s\\n\" "
                                   "\"${COMPREPLY[@]}\" | sort'");
    Words lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
      if (!line.empty()) lines.push_back(line);
    return lines;
  }

  /// The flags that the help of a verb shows.
  Words flags_of(const std::string& verb) const {
    const std::string help = output({verb, "--help"});
    Words flags;
    std::istringstream in(help);
    for (std::string line; std::getline(in, line);)
      if (const std::size_t at = line.find("--"); at != line.npos && at <= 5 && line.starts_with("  "))
        flags.push_back(line.substr(at, line.find_first_of(" ,", at) - at));
    return flags;
  }
};

TEST_F(CliCompletion, BashOffersVerbsFlagsChoicesAndFiles) {
  write("script", output({"completion", "bash"}));
  write("table one.csv", "");
  write("model", "");
  EXPECT_EQ(offered("mirrorball pre"), (Words{"predict"}));
  EXPECT_EQ(offered("mirrorball --ver"), (Words{"--version"}));
  EXPECT_EQ(offered("mirrorball predict --samples"), (Words{"--samples", "--samples-per-row"}));
  EXPECT_EQ(offered("mirrorball fit --preset \"\""), (Words{"default", "disco", "paper", "point"}));
  EXPECT_EQ(offered("mirrorball fit --preset = p"), (Words{"paper", "point"}));
  EXPECT_EQ(offered("mirrorball data cr"), (Words{"crossing"}));
  EXPECT_EQ(offered("mirrorball predict mo"), (Words{"model"}));
  EXPECT_EQ(offered("mirrorball predict model --out t"), (Words{"table one.csv"}));
  EXPECT_EQ(offered("mirrorball predict model --id \"\""), Words{});
  EXPECT_EQ(offered("mirrorball completion \"\""), (Words{"bash", "fish", "zsh"}));
}

TEST_F(CliCompletion, EveryScriptAndTheManPageHaveEveryFlag) {
  const std::string bash = output({"completion", "bash"}), zsh = output({"completion", "zsh"}),
                    fish = output({"completion", "fish"}), page = output({"man"});
  for (const char* verb : {"fit", "cv", "predict", "score", "explain", "report", "compare", "functions",
                           "serve", "distance", "data", "info", "demo", "completion"}) {
    EXPECT_NE(bash.find(std::string("    ") + verb + ")\n"), bash.npos) << verb;
    EXPECT_NE(zsh.find(std::string("        ") + verb + ")\n"), zsh.npos) << verb;
    EXPECT_NE(fish.find(std::string(" -a ") + verb + " -d "), fish.npos) << verb;
    EXPECT_NE(page.find(std::string(".SS ") + verb + "\n"), page.npos) << verb;
    const Words flags = flags_of(verb);
    EXPECT_FALSE(flags.empty()) << verb;
    for (const std::string& flag : flags) {
      EXPECT_NE(bash.find(flag), bash.npos) << verb << flag;
      EXPECT_TRUE(zsh.find("'" + flag) != zsh.npos || zsh.find("'*" + flag) != zsh.npos) << verb << flag;
      EXPECT_NE(fish.find(" -l " + flag.substr(2) + " "), fish.npos) << verb << flag;
    }
  }
  EXPECT_EQ(zsh.find("\nman"), zsh.npos);
}

TEST_F(CliCompletion, OtherShellsAcceptTheirScripts) {
  write("zsh", output({"completion", "zsh"}));
  write("fish", output({"completion", "fish"}));
  for (const std::string one : {"zsh", "fish"})
    shell("if command -v " + one + " >/dev/null; then " + one + " -n ./" + one + "; fi");
}

TEST_F(CliCompletion, UnknownShellsAreRefused) {
  expect_refused({"completion", "csh"}, {"completion", "csh"});
  expect_refused({"completion"}, {"completion", "SHELL is missing"});
}

TEST_F(CliCompletion, HelpAndManPageHaveTheExitCodes) {
  const std::string help = output({"--help"}), page = output({"man"});
  for (const char* code : {"0", "1", "2", "130"}) {
    EXPECT_NE(help.find("\n  " + std::string(code) + " "), help.npos) << help;
    EXPECT_NE(page.find("\\fB" + std::string(code) + "\\fR\n"), page.npos);
  }
  EXPECT_EQ(help.find("Print the man page"), help.npos);
}

}  // namespace
}  // namespace mirrorball::cli_test
