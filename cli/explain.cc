#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "base/error.h"
#include "base/grouped.h"
#include "explained_rows.h"
#include "explanation_files.h"
#include "explanation_text.h"
#include "mirrorball/mirrorball.h"
#include "model_table.h"
#include "output.h"
#include "paint.h"
#include "progress_bar.h"
#include "run_flags.h"
#include "table/file_kind.h"
#include "table_flags.h"
#include "verbs.h"

namespace mirrorball::cli {
namespace {

struct ExplainFlags {
  std::string model, data, background, row, id, of = "mean", target, out;
  std::optional<std::string> where;
  std::size_t samples = kSummarySamples, background_rows = ExplainOptions().background_rows, coalitions = 0,
              top = 20;
  bool uncalibrated = false, json = false, csv = false;
  TableFlags table;
  RunFlags run;
};

ExplainOptions options_of(const ExplainFlags& flags, const Model& model) {
  ExplainOptions options;
  options.of = Functional::parse(flags.of);
  options.target = flags.target;
  if (flags.where) options.where = Region::parse(*flags.where, model.targets());
  options.predict = {flags.samples, flags.run.seed, flags.run.threads, !flags.uncalibrated};
  options.background_rows = flags.background_rows;
  options.coalitions = flags.coalitions;
  return options;
}

void write(const Explanation& found, const ExplainOptions& options, const Table& table,
           const std::vector<std::string>& names, const ExplainFlags& flags) {
  write_result(flags.out, [&](std::ostream& out) {
    const std::string& other = flags.background.empty() ? flags.data : flags.background;
    if (flags.json) {
      out << explanation_json(found, options, table);
    } else if (flags.csv) {
      write_explanation_csv(found, out, table::separator_named(flags.out).value_or(','));
    } else {
      out << explanation_text(
          found, options, {other == "-" ? "standard input" : other, names, flags.top, Paint::out().width()});
    }
  });
}

void run_explain(const ExplainFlags& flags) {
  const IdWanted id = flags.id.empty() ? IdWanted() : id_from(flags.id);
  if (id.value && !flags.row.empty())
    bad_input("--id {} and --row {} both select rows: give one of them, or the column alone, as --id {}",
              flags.id, flags.row, id.column);
  if (!flags.id.empty() && !id.value && flags.row.empty())
    bad_input("--id {} names rows, but none is selected: add --row, or a value, as --id {}=17", id.column,
              id.column);
  const std::vector<RowRange> ranges = id.value ? std::vector<RowRange>() : row_ranges(flags.row);
  check_spares(flags.out, {flags.model, flags.data, flags.background});
  const Model model = Model::load(flags.model);
  ExplainOptions options = options_of(flags, model);

  ReadOptions read = flags.table.on(model.read_options(false));
  read.threads = flags.run.threads;
  const ReadOptions read_others = read;
  if (!flags.id.empty()) read.keep = {id.column};
  const Table table = table_for(model, flags.data, read);
  const std::vector<std::size_t> rows = id.value ? rows_with(id, table) : rows_of(ranges, table);
  std::optional<Table> others;
  if (!flags.background.empty()) {
    others = table_for(model, flags.background, read_others);
  } else if (table.rows() == 1) {
    bad_input("{} has only 1 row, nothing to compare it with: give a table of other rows with --background",
              table.source());
  }
  ProgressBar progress;
  options.progress = [&](double share) {
    progress.show(share,
                  rows.size() == 1 ? "explained" : fmt::format("of {} rows explained", grouped(rows.size())));
  };
  const Explanation found = explain(model, table, rows, others ? *others : table, options);
  progress.clear();
  write(found, options, table, flags.id.empty() ? std::vector<std::string>() : names_by(id, table, rows),
        flags);
}

/// What is explained, and how exactly.
void add_question(CLI::App& verb, ExplainFlags& flags) {
  verb.add_option(
          "--where", flags.where,
          "Explain only the samples in this region of the targets, for example \"y2 > 0.2 and y1 <= 3\"")
      ->type_name("REGION");
  verb.add_option(
          "--of", flags.of,
          "What to explain: mean, sd, median, quantile:P, width:C (of the interval of coverage C), or region "
          "(the probability of --where) [mean]")
      ->type_name("WHAT");
  verb.add_option("--target", flags.target,
                  "Target to explain, if the model has several [the one in --where]")
      ->type_name("NAME");
  verb.add_option("--background", flags.background,
                  "Table of background rows, with which the row is compared [DATA]")
      ->type_name("FILE");
  verb.add_option("--background-rows", flags.background_rows,
                  fmt::format("Background rows, sampled at random [{}]", flags.background_rows))
      ->type_name("N")
      ->check(count_up_to(10000));
  verb.add_option("--samples", flags.samples, fmt::format("Samples per row [{}]", flags.samples))
      ->type_name("M")
      ->check(count_up_to(1000000));
  verb.add_option(
          "--coalitions", flags.coalitions,
          "Maximum number of feature sets to evaluate with each background row [all, if up to 5 features "
          "differ; else those of random orders of the features]")
      ->type_name("N")
      ->check(count_up_to(10000000));
  verb.add_flag("--uncalibrated", flags.uncalibrated,
                "Use the samples of the networks alone, without calibration and forest");
  verb.add_option("--top", flags.top, "Number of features to list [20]")
      ->type_name("N")
      ->check(count_up_to(1000000));
}

}  // namespace

void add_explain(CLI::App& app) {
  auto flags = std::make_shared<ExplainFlags>();
  CLI::App* verb = app.add_subcommand(
      "explain", "Explain the forecast of a row: contribution of each feature (Shapley values)");
  verb->footer(
      "The contributions add up to the difference between this row and the mean over the background rows "
      "(base).");
  verb->add_option("model", flags->model, "Model file")->required();
  verb->add_option("data", flags->data, "Table with the model's features; - is standard input")->required();
  auto* row =
      verb->add_option("--row", flags->row, "Row to explain, numbered from 0; several as 3,17 or 10:20")
          ->type_name("I");
  auto* id =
      verb->add_option(
              "--id", flags->id,
              "Explain the rows of DATA with this value in a column, as key=17; with --row: the column that "
              "names the rows in the output, as key")
          ->type_name("COL[=VALUE]");
  add_question(*verb, *flags);
  flags->table.add_to(*verb);
  flags->run.add_seed(*verb, "samples, background rows and orders of features");
  flags->run.add_threads(*verb);
  auto* json = verb->add_flag("--json", flags->json, "Write JSON, in one line");
  verb->add_flag("--csv", flags->csv, "Write CSV, a line for every row and feature")->excludes(json);
  verb->add_option("--out", flags->out, "Output file [standard output]")->type_name("FILE");
  verb->callback([flags, row, id] {
    if (row->count() + id->count() == 0) throw CLI::RequiredError("--row or --id");
    run_explain(*flags);
  });
}

}  // namespace mirrorball::cli
