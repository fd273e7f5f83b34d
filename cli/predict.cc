#include <fmt/format.h>

#include <memory>
#include <optional>

#include "base/error.h"
#include "block_rows.h"
#include "mirrorball/mirrorball.h"
#include "output.h"
#include "progress_bar.h"
#include "run_flags.h"
#include "table/csv_writer.h"
#include "verbs.h"

namespace mirrorball::cli {
namespace {

/// Draws behind a summary.
constexpr std::size_t kDraws = 1000;

struct PredictFlags {
  std::string model, data, out;
  std::size_t samples = 0;
  std::vector<double> quantiles;
  std::optional<double> interval;
  bool mean = false;
  RunFlags run;
};

std::vector<std::string> columns_of_target(const PredictFlags& flags, const std::string& target,
                                           std::size_t samples) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& what) { names.push_back(target + "_" + what); };
  if (flags.samples > 0) {
    for (std::size_t i = 1; i <= samples; ++i) add(std::to_string(i));
  } else if (!flags.quantiles.empty()) {
    for (double level : flags.quantiles) add(fmt::format("q{}", level));
  } else if (flags.interval) {
    add("lower");
    add("upper");
  } else if (flags.mean) {
    add("mean");
  } else {
    for (const char* what : {"mean", "sd", "q0.05", "q0.5", "q0.95"}) add(what);
  }
  return names;
}

void write_row(const PredictFlags& flags, const Model& model, const Predictive& draws, std::size_t row,
               CsvWriter& csv) {
  for (std::size_t t = 0; t < draws.targets(); ++t) {
    const int digits = model.digits(t);
    if (flags.samples > 0) {
      for (double draw : draws.draws(row, t)) csv.cell(draw, digits);
    } else if (!flags.quantiles.empty()) {
      for (double value : draws.quantiles(flags.quantiles, row, t)) csv.cell(value, digits);
    } else if (flags.interval) {
      const auto [lower, upper] = draws.interval(*flags.interval, row, t);
      csv.cell(lower, digits);
      csv.cell(upper, digits);
    } else {
      csv.cell(draws.mean(row, t), digits);
      if (flags.mean) continue;
      csv.cell(draws.sd(row, t));
      for (double value : draws.quantiles(std::vector<double>{0.05, 0.5, 0.95}, row, t))
        csv.cell(value, digits);
    }
  }
  csv.end_row();
}

void check_levels(const PredictFlags& flags) {
  for (double level : flags.quantiles)
    if (!(level >= 0 && level <= 1)) bad_input("the quantile {} is outside 0 to 1", level);
  if (flags.interval && !(*flags.interval > 0 && *flags.interval < 1))
    bad_input("the interval's coverage {} is not between 0 and 1", *flags.interval);
}

void run_predict(const PredictFlags& flags) {
  check_levels(flags);
  const Model model = Model::load(flags.model);
  ReadOptions read = model.read_options(false);
  read.threads = flags.run.threads;
  const Table table = Table::read(flags.data, read);
  const PredictOptions options{flags.samples > 0 ? flags.samples : kDraws, flags.run.seed, flags.run.threads};
  ProgressBar bar;
  write_result(flags.out, [&](std::ostream& out) {
    CsvWriter csv(out);
    for (std::size_t begin = 0, end; begin < table.rows(); begin = end) {
      end = std::min(table.rows(), begin + block_rows(options.samples, model.targets().size()));
      const Predictive draws = model.predict(table, begin, end, options);
      if (begin == 0) {
        std::vector<std::string> names;
        for (const std::string& target : model.targets())
          for (const std::string& name : columns_of_target(flags, target, draws.samples()))
            names.push_back(name);
        csv.header(names);
      }
      for (std::size_t row = 0; row < draws.rows(); ++row) write_row(flags, model, draws, row, csv);
      if (!flags.out.empty())
        bar.show(static_cast<double>(end) / static_cast<double>(table.rows()), grouped(end) + " rows");
    }
    csv.finish();
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
  auto* samples = verb->add_option("--samples", flags->samples, "Write this many draws")
                      ->type_name("M")
                      ->check(count_up_to(1000000));
  auto* quantiles =
      verb->add_option("--quantiles", flags->quantiles, "Write these quantiles, as 0.05,0.5,0.95")
          ->delimiter(',')
          ->type_name("P,P,P")
          ->check(CLI::Number);
  auto* interval =
      verb->add_option("--interval", flags->interval, "Write the central interval of this coverage")
          ->type_name("C");
  auto* mean = verb->add_flag("--mean", flags->mean, "Write the mean alone");
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
