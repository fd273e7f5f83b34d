#include <fmt/format.h>

#include <memory>
#include <utility>

#include "cv_scores.h"
#include "describe_columns.h"
#include "fit_flags.h"
#include "interrupt.h"
#include "mirrorball/mirrorball.h"
#include "output.h"
#include "progress_bar.h"
#include "run_flags.h"
#include "verbs.h"

namespace mirrorball::cli {
namespace {

struct CvFlags : FitFlags {
  std::size_t folds = 5;
  bool json = false;
};

std::string split_of(const Roles& roles) {
  return !roles.valid_by.empty() ? "in the order of " + roles.valid_by + ", trained on what comes before"
         : !roles.group.empty()  ? "whole groups of " + roles.group
                                 : "random";
}

void run_cv(const CvFlags& flags) {
  const Options options = flags.options.options();
  if (!flags.quiet) flags.say_hints();
  const Table table = flags.read_table(options);
  const std::string columns = flags.quiet ? "" : describe_columns(table, table.rows(), flags);
  catch_interrupts();
  bool begun = false;  // the input has proved good
  std::vector<FoldScores> folds;
  {
    ProgressBar bar(flags.progress && !flags.quiet);
    folds =
        cross_validate(table, flags.roles, options, flags.folds, [&](std::size_t fold, const Progress& now) {
          if (!std::exchange(begun, true)) say(columns);
          const double share = (static_cast<double>(fold - 1) + now.share) / static_cast<double>(flags.folds);
          if (!flags.quiet)
            bar.show(share, fmt::format("fold {}/{}  {}", fold, flags.folds, training_words(now)));
          return !interrupted();
        });
  }
  if (interrupted())
    say(fmt::format("interrupted: {} of {} folds are complete\n", folds.size(), flags.folds));
  if (folds.empty()) return;
  const std::string split = split_of(flags.roles);
  write_result("", [&](std::ostream& out) {
    out << (flags.json ? cv_json(folds, split) : cv_text(folds, split, Paint::out()));
  });
}

}  // namespace

void add_cv(CLI::App& app) {
  auto flags = std::make_shared<CvFlags>();
  CLI::App* verb = app.add_subcommand("cv", "Cross-validate: fit and score on several splits of a table");
  flags->add_to(*verb);
  verb->add_option("--folds", flags->folds, fmt::format("Splits, at least 2 [{}]", flags->folds))
      ->type_name("K")
      ->check(whole_number(2, 1000000));
  verb->add_flag("--json", flags->json, "Write JSON, in one line");
  verb->callback([flags] { run_cv(*flags); });
}

}  // namespace mirrorball::cli
