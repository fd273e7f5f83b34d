#include <memory>

#include "base/grouped.h"
#include "mirrorball/mirrorball.h"
#include "model/predictions_csv.h"
#include "model_table.h"
#include "output.h"
#include "progress_bar.h"
#include "run_flags.h"
#include "verbs.h"

namespace mirrorball::cli {
namespace {

struct PredictFlags {
  std::string model, data, out;
  model::PredictionForm form;
  RunFlags run;
};

void run_predict(const PredictFlags& flags) {
  flags.form.check();
  check_spares(flags.out, {flags.model, flags.data});
  const Model model = Model::load(flags.model);
  const auto source = source_for(model, flags.data, false, flags.run.threads);
  PredictOptions options;
  options.seed = flags.run.seed;
  options.threads = flags.run.threads;
  ProgressBar bar;
  write_result(flags.out, [&](std::ostream& out) {
    model::write_predictions(model, *source, flags.form, options, out,
                             [&](std::size_t rows, std::optional<double> share) {
                               if (!flags.out.empty()) bar.show(share, grouped(rows) + " rows");
                             });
  });
}

}  // namespace

void add_predict(CLI::App& app) {
  auto flags = std::make_shared<PredictFlags>();
  CLI::App* verb = app.add_subcommand("predict", "Predict the rows of a table, one line per row");
  verb->footer(
      "Without --samples, --quantiles, --interval or --mean: mean, sd and the 5, 50 and 95% quantiles.");
  verb->add_option("model", flags->model, "Model file")->required();
  verb->add_option("data", flags->data, "Table with the model's features; - is standard input")->required();
  auto* samples = verb->add_option("--samples", flags->form.samples, "Write this many draws")
                      ->type_name("M")
                      ->check(count_up_to(1000000));
  auto* quantiles =
      verb->add_option("--quantiles", flags->form.quantiles, "Write these quantiles, as 0.05,0.5,0.95")
          ->delimiter(',')
          ->type_name("P,P,P")
          ->check(CLI::Number);
  auto* interval =
      verb->add_option("--interval", flags->form.interval, "Write the central interval of this coverage")
          ->type_name("C");
  auto* mean = verb->add_flag("--mean", flags->form.mean, "Write the mean alone");
  const std::vector<CLI::Option*> forms = {samples, quantiles, interval, mean};
  for (CLI::Option* one : forms)
    for (CLI::Option* other : forms)
      if (one != other) one->excludes(other);
  flags->run.add_seed(*verb, "draws");
  flags->run.add_threads(*verb);
  verb->add_option("--out", flags->out, "File for the predictions instead of standard output")
      ->type_name("FILE");
  verb->callback([flags] { run_predict(*flags); });
}

}  // namespace mirrorball::cli
