#include <fmt/format.h>

#include <memory>
#include <optional>

#include "base/grouped.h"
#include "base/plain_number.h"
#include "base/suggest.h"
#include "mirrorball/mirrorball.h"
#include "model/predictions_csv.h"
#include "model_table.h"
#include "output.h"
#include "progress_bar.h"
#include "range_of_rows.h"
#include "row_rate.h"
#include "run_flags.h"
#include "table/file_kind.h"
#include "table_flags.h"
#include "verbs.h"

namespace mirrorball::cli {
namespace {

struct PredictFlags {
  std::string model, out, id, rows;
  std::vector<std::string> data, regions;
  model::PredictionForm form;
  TableFlags table;
  RunFlags run;
  bool progress = false;
};

/// A probability that is 0 in every row may be that of a mistake.
void warn_of_empty(const model::RegionsSeen& seen, const model::PredictionForm& form, const Model& model) {
  if (seen.rows == 0) return;
  std::vector<std::string> ranges;
  for (std::size_t t = 0; t < seen.ranges.size(); ++t)
    ranges.push_back(fmt::format("{} from {} to {}", model.targets()[t], plain_number(seen.ranges[t].first),
                                 plain_number(seen.ranges[t].second)));
  for (std::size_t i = 0; i < form.regions.size(); ++i)
    if (!seen.reached[i])
      warn(fmt::format(
          "the probability of \"{}\" is 0 in all {} rows: no sample satisfies it; the samples: {}",
          form.regions[i].text(), grouped(seen.rows), listing(ranges)));
}

/// Parts that are 0 in every row for a reason.
void warn_of_one_source(const Model& model) {
  if (!model.noisy())
    warn(
        "a point network predicts one value: the aleatoric part is 0; fit with --architecture dnplus for "
        "both parts");
  if (model.sources() == 1)
    warn(
        "the model is a single network, which cannot disagree with others: the epistemic part is 0; fit with "
        "--networks 6 for both parts");
}

void run_predict(const PredictFlags& flags) {
  model::PredictionForm form = flags.form;
  if (!flags.id.empty()) form.keep.insert(form.keep.begin(), flags.id);
  table::check_writable(flags.out);
  form.separator = table::separator_named(flags.out).value_or(',');
  form.check();  // what can be checked before the model is read
  check_spares(flags.out, {flags.model}, flags.data);
  const Model model = Model::load(flags.model);
  for (const std::string& text : flags.regions) form.regions.push_back(Region::parse(text, model.targets()));
  form.check();
  ReadOptions read = flags.table.on(model.read_options(false));
  read.threads = flags.run.threads;
  read.keep = form.keep;
  read.allow_empty = true;
  const std::optional<RowSpan> range =
      flags.rows.empty() ? std::nullopt : std::optional(row_span("--rows", flags.rows));
  const std::unique_ptr<TableSource> source = source_for(model, flags.data, read, range);
  PredictOptions options;
  options.seed = flags.run.seed;
  options.threads = flags.run.threads;
  options.device = flags.run.device;
  ProgressBar bar(flags.progress);
  const RowRate words;
  model::RegionsSeen seen;
  write_result(flags.out, [&](std::ostream& out) {
    seen = model::write_predictions(model, *source, form, options, out,
                                    [&](std::size_t rows, std::optional<double> share) {
                                      if (!flags.out.empty() || flags.progress) bar.show(share, words(rows));
                                    });
  });
  bar.clear();
  warn_of_empty(seen, form, model);
  if (form.uncertainty) warn_of_one_source(model);
}

/// What is written for each row.
void add_forms(CLI::App& verb, PredictFlags& flags) {
  model::PredictionForm& form = flags.form;
  verb.add_flag("--mean", form.mean, "Write the mean");
  verb.add_option("--interval", form.intervals,
                  "Write the central interval of this coverage, as 0.9; may be repeated")
      ->type_name("C")
      ->allow_extra_args(false)
      ->check(any_number());
  verb.add_option("--quantiles", form.quantiles, "Write these quantiles, as 0.05,0.5,0.95")
      ->delimiter(',')
      ->type_name("P,P,P")
      ->check(any_number());
  verb.add_flag("--uncertainty", form.uncertainty,
                "Write the variance and the expected CRPS, each with its aleatoric and epistemic part");
  verb.add_option("--probability", flags.regions,
                  "Write the probability of a condition on the targets, as \"y > 3 and z < 2\"; may be "
                  "repeated")
      ->type_name("REGION")
      ->allow_extra_args(false);
  verb.add_option(
          "--samples-per-row", form.summary_samples,
          fmt::format("Samples per row from which means, intervals, quantiles, … are computed; fewer are "
                      "faster [{}]",
                      form.summary_samples))
      ->type_name("N")
      ->check(count_up_to(1000000));
  auto* samples = verb.add_option("--samples", form.samples, "Write this many samples instead of summaries")
                      ->type_name("M")
                      ->check(count_up_to(1000000));
  for (const char* summary :
       {"--mean", "--interval", "--quantiles", "--uncertainty", "--probability", "--samples-per-row"})
    samples->excludes(verb.get_option(summary));
}

}  // namespace

void add_predict(CLI::App& app) {
  auto flags = std::make_shared<PredictFlags>();
  CLI::App* verb = app.add_subcommand("predict", "Predict the rows of a table, one line per row");
  verb->footer(
      "--mean, --interval, --quantiles, --uncertainty and --probability combine, in this order. Without "
      "them\n"
      "and without --samples: mean, sd and the 5, 50 and 95% quantiles. The columns are named after the "
      "target\n"
      "and the level: y_mean, y_lower_90, y_upper_90, y_q0.5, y_variance_epistemic, P(y > 3).");
  verb->add_option("model", flags->model, "Model file")->required();
  verb->add_option(
          "data", flags->data,
          "Table with the model's features; - is standard input. Several files, or a pattern such as "
          "'part-*.csv.gz', are one table")
      ->required();
  add_forms(*verb, *flags);
  verb->add_option("--id", flags->id, "Column of DATA to write first, unchanged")->type_name("COL");
  verb->add_option("--keep", flags->form.keep,
                   "Column of DATA to write before the predictions; may be repeated")
      ->type_name("COL")
      ->allow_extra_args(false);
  verb->add_option("--rows", flags->rows,
                   "Predict only these rows, as FROM:TO (TO is not included), counted from 0 over all files; "
                   "FROM: goes to "
                   "the end")
      ->type_name("RANGE");
  flags->table.add_to(*verb);
  flags->run.add_seed(*verb, "samples");
  flags->run.add_threads(*verb);
  flags->run.add_device(*verb);
  verb->add_option("--out", flags->out,
                   "Output file; .tsv is separated by tabs, .gz and .zst are compressed [standard output]")
      ->type_name("FILE");
  verb->add_flag("--progress", flags->progress,
                 "Print progress as lines if standard error is not a terminal");
  verb->callback([flags] { run_predict(*flags); });
}

}  // namespace mirrorball::cli
