#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/grouped.h"
#include "base/plain_number.h"
#include "base/wrapped.h"
#include "mirrorball/mirrorball.h"
#include "model/far_target.h"
#include "model/predict_blocks.h"
#include "model_table.h"
#include "output.h"
#include "paint.h"
#include "progress_bar.h"
#include "row_rate.h"
#include "run_flags.h"
#include "score/calibration_json.h"
#include "table_flags.h"
#include "verbs.h"

namespace mirrorball::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ScoreFlags {
  std::string model;
  std::vector<std::string> data;
  std::size_t samples = kSummarySamples;
  TableFlags table;
  RunFlags run;
  bool json = false, progress = false;
};

Json pair_json(const MeanMedian& value) { return {{"mean", value.mean}, {"median", value.median}}; }

std::string scores_json(const Scores& scores) {
  Json json = {{"rows", scores.rows}, {"samples", scores.samples}, {"targets", Json::object()}};
  for (const TargetScores& target : scores.targets) {
    Json interval;
    for (const IntervalScore& one : target.intervals)
      interval[fmt::format("{}", one.level)] = {
          {"coverage", one.coverage}, {"mass", one.mass}, {"width", one.width}};
    Json nll = pair_json(target.nll);
    if (target.nll_floored > 0) nll["floored"] = target.nll_floored;
    json["targets"][target.name] = {{"mae", target.mae},
                                    {"rmse", target.rmse},
                                    {"crps", pair_json(target.crps)},
                                    {"nll", nll},
                                    {"interval", interval},
                                    {"qice", target.qice},
                                    {"pit", target.pit},
                                    {"calibration", scoring::calibration_json(target.calibration, false)}};
  }
  json["energy_score"] = pair_json(scores.energy_score);
  return json.dump() + "\n";
}

std::string scores_text(const Scores& scores, const Paint& paint) {
  std::string text = fmt::format("{} rows, {} samples each\n", grouped(scores.rows), grouped(scores.samples));
  const auto number = [&](double value) { return paint.bold(plain_number(value, 5)); };
  const auto pair = [&](const MeanMedian& value) {
    return fmt::format("{}   (median {})", number(value.mean), plain_number(value.median, 5));
  };
  for (const TargetScores& target : scores.targets) {
    text += fmt::format("\n{}\n", paint.bold(target.name));
    text += fmt::format("  CRPS            {}\n", pair(target.crps));
    text += fmt::format("  NLL             {}\n", pair(target.nll));
    if (target.nll_floored > 0)
      text +=
          fmt::format("                  samples without spread in {} row{}: the density there is capped\n",
                      target.nll_floored, target.nll_floored == 1 ? "" : "s");
    text +=
        fmt::format("  MAE of median   {}\n  RMSE of mean    {}\n", number(target.mae), number(target.rmse));
    for (const IntervalScore& one : target.intervals)
      // Where samples repeat values, closed intervals hold more than their level.
      text += fmt::format("  {:2.0f}% interval    covers {} (expected {:.1f}%), mean width {}\n",
                          100 * one.level, paint.bold(fmt::format("{:.1f}%", 100 * one.coverage)),
                          100 * one.mass, plain_number(one.width, 5));
    text += fmt::format("  QICE            {:.4f}\n  PIT, ten bins   ", target.qice);
    for (double share : target.pit) text += fmt::format("{:.3f} ", share);
    text.back() = '\n';
    text += wrapped_after("  Calibration     ", target.calibration.words, paint.width());
  }
  if (scores.targets.size() > 1)
    text += fmt::format("\nEnergy score, joint  {}\n", pair(scores.energy_score));
  return text;
}

/// One corrupt outcome is most of a mean CRPS.
void warn_of_far_outcomes(const Model& model, const Scorer& scorer) {
  for (std::size_t t = 0; t < model.targets().size(); ++t)
    if (const std::optional<std::string> text = model::far_target(scorer.observed(t), model.targets()[t]))
      warn(*text);
}

void run_score(const ScoreFlags& flags) {
  const Model model = Model::load(flags.model);
  ReadOptions read = flags.table.on(model.read_options(true));
  read.threads = flags.run.threads;
  const auto source = source_for(model, flags.data, read);
  const std::size_t targets = model.targets().size();
  Scorer scorer(model.targets(), {0.5, 0.9}, flags.run.threads);
  ProgressBar bar(flags.progress);
  const RowRate words;
  std::vector<double> observed;  // of one block
  const auto add = [&](const Predictive& draws, const Table& block, std::size_t begin) {
    if (begin == 0) observed = model.observed(block);
    scorer.add(draws, std::span(observed).subspan(begin * targets, draws.rows() * targets));
  };
  model::predict_blocks(model, *source,
                        {flags.samples, flags.run.seed, flags.run.threads, true, flags.run.device}, add,
                        [&](std::size_t rows, std::optional<double> share) { bar.show(share, words(rows)); });
  bar.clear();
  const Scores scores = scorer.finish();
  warn_of_far_outcomes(model, scorer);
  write_result("", [&](std::ostream& out) {
    out << (flags.json ? scores_json(scores) : scores_text(scores, Paint::out()));
  });
}

}  // namespace

void add_score(CLI::App& app) {
  auto flags = std::make_shared<ScoreFlags>();
  CLI::App* verb = app.add_subcommand("score", "Score a model on a table that contains the targets");
  verb->add_option("model", flags->model, "Model file")->required();
  verb->add_option(
          "data", flags->data,
          "Table with features and targets; - is standard input. Several files, or a pattern such as "
          "'part-*.csv.gz', are one table")
      ->required();
  verb->add_option("--samples", flags->samples,
                   fmt::format("Samples per row, at least 2 [{}]", flags->samples))
      ->type_name("M")
      ->check(whole_number(2, 1000000));
  flags->table.add_to(*verb);
  flags->run.add_seed(*verb, "samples");
  flags->run.add_threads(*verb);
  flags->run.add_device(*verb);
  verb->add_flag("--json", flags->json, "Write JSON, in one line");
  verb->add_flag("--progress", flags->progress,
                 "Print progress as lines if standard error is not a terminal");
  verb->callback([flags] { run_score(*flags); });
}

}  // namespace mirrorball::cli
