#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <memory>
#include <new>
#include <string>

#include "exit_codes.h"
#include "group/together.h"
#include "help.h"
#include "interrupt.h"
#include "layout.h"
#include "mirrorball/version.h"
#include "option_flags.h"
#include "output.h"
#include "paint.h"
#include "parse_errors.h"
#include "program.h"
#include "verbs.h"

namespace {

using namespace mirrorball;

void complain(const std::string& text) {
  const cli::Paint paint = cli::Paint::err();
  const std::string line = paint.error("mirrorball:") + " " + text;
  cli::say(cli::wrapped(line, 0, 2, paint.width()) + "\n");
}

std::string program_footer() {
  std::string text = cli::kAboutTables + "\n`mirrorball COMMAND --help` describes a command.\n\nExit codes:";
  for (const cli::ExitCode& one : cli::exit_codes())
    text += fmt::format("\n  {:<4} {}", one.code, one.meaning);
  return text;
}

/// Without expert options a command has the same help for both flags, so one is enough to show.
void hide_help_all(const CLI::App& app, CLI::App& verb) {
  if (verb.get_help_all_ptr()->get_description() == app.get_help_all_ptr()->get_description())
    verb.get_option("--help-all")->group("");
}

int run(int argc, char** argv) {
  CLI::App app("Predictive distributions from tables.", "mirrorball");
  app.set_version_flag("--version", "mirrorball " MIRRORBALL_VERSION);
  app.set_help_all_flag("--help-all", "Print the help of all commands, with every option");
  app.footer(program_footer());
  app.formatter(std::make_shared<cli::HelpFormatter>());
  cli::add_fit(app);
  cli::add_cv(app);
  cli::add_predict(app);
  cli::add_score(app);
  cli::add_explain(app);
  cli::add_report(app);
  cli::add_compare(app);
  cli::add_functions(app);
  cli::add_serve(app);
  cli::add_distance(app);
  cli::add_data(app);
  cli::add_info(app);
  cli::add_demo(app);
  cli::add_completion(app);
  cli::add_man(app);
  for (CLI::App* verb : app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); })) {
    verb->group("Commands");
    hide_help_all(app, *verb);
  }
  app.require_subcommand(0, 1);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& wish) {
    return app.exit(wish);  // --help or --version
  } catch (const CLI::ParseError& error) {
    complain(cli::parse_error_text(app, error));
    return cli::kBadInput;
  }
  if (app.get_subcommands().empty()) {
    cli::say(app.help());
    return cli::kBadInput;
  }
  return cli::interrupted() ? cli::kInterrupted : cli::kDone;
}

}  // namespace

int mirrorball::cli::program(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    complain("out of memory");
    return cli::kFailed;
  } catch (const group::FailedElsewhere&) {
    // Another process says it and ends with the code: a launcher that sees a code of this one first ends the
    // other before it has spoken.
    return cli::kDone;
  } catch (const std::exception& error) {
    complain(cli::with_flags(error.what()));
    return cli::kBadInput;
  }
}
