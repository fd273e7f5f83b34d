#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "base/suggest.h"
#include "help.h"
#include "interrupt.h"
#include "mirrorball/version.h"
#include "output.h"
#include "verbs.h"

namespace {

using namespace mirrorball;

constexpr int kFailed = 1, kBadInput = 2, kInterrupted = 130;

void complain(const std::string& text) { cli::say(fmt::format("mirrorball: {}\n", text)); }

/// The app whose words were being read when parsing failed: the verb, or the program itself.
const CLI::App& current(const CLI::App& app) {
  const auto verbs = app.get_subcommands();
  return verbs.empty() ? app : *verbs.front();
}

/// What was not expected, and what was perhaps meant.
std::string unexpected(const CLI::App& app, const std::string& extra) {
  const CLI::App& verb = current(app);
  const std::string word = extra.substr(0, extra.find('='));
  std::vector<std::string> known;
  if (word.starts_with("-")) {
    for (const CLI::Option* option : verb.get_options())
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    return fmt::format("unknown option {} (`mirrorball {}--help` lists them){}", word,
                       &verb == &app ? "" : verb.get_name() + " ", did_you_mean(word, known));
  }
  if (&verb != &app) return fmt::format("{}: unexpected word '{}'", verb.get_name(), word);
  for (const CLI::App* other : app.get_subcommands([](const CLI::App*) { return true; }))
    known.push_back(other->get_name());
  return fmt::format("unknown verb '{}' (there are {}){}", word, listing(known), did_you_mean(word, known));
}

int run(int argc, char** argv) {
  CLI::App app("Whole predictive distributions from tables.", "mirrorball");
  app.set_version_flag("--version", "mirrorball " MIRRORBALL_VERSION);
  app.set_help_all_flag("--help-all", "Print the help of all verbs, with every option");
  app.footer(
      "Data is CSV, CSV.gz or ARFF; '-' is standard input. `mirrorball VERB --help` tells about a verb.");
  app.formatter(std::make_shared<cli::HelpFormatter>());
  cli::add_fit(app);
  cli::add_predict(app);
  cli::add_score(app);
  cli::add_explain(app);
  cli::add_report(app);
  cli::add_functions(app);
  cli::add_serve(app);
  cli::add_distance(app);
  cli::add_data(app);
  cli::add_info(app);
  cli::add_demo(app);
  app.require_subcommand(0, 1);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& wish) {
    return app.exit(wish);  // --help or --version
  } catch (const CLI::ParseError& error) {
    const CLI::App& verb = current(app);
    const std::vector<std::string> extras = app.remaining(true);
    if (!extras.empty()) {  // a mistyped flag is the cause, whatever is missing for it
      complain(unexpected(app, extras.front()));
    } else {
      complain(&verb == &app ? error.what() : verb.get_name() + ": " + error.what());
    }
    return kBadInput;
  }
  if (app.get_subcommands().empty()) {
    cli::say(app.help());
    return kBadInput;
  }
  return cli::interrupted() ? kInterrupted : 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    complain("out of memory");
    return kFailed;
  } catch (const std::exception& error) {
    complain(error.what());
    return kBadInput;
  }
}
