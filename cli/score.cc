#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "base/grouped.h"
#include "mirrorball/mirrorball.h"
#include "model/predict_blocks.h"
#include "model_table.h"
#include "output.h"
#include "progress_bar.h"
#include "run_flags.h"
#include "verbs.h"

namespace mirrorball::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ScoreFlags {
  std::string model, data;
  std::size_t samples = kScoreSamples;
  RunFlags run;
  bool json = false;
};

Json pair_json(const MeanMedian& value) { return {{"mean", value.mean}, {"median", value.median}}; }

std::string scores_json(const Scores& scores) {
  Json json = {{"rows", scores.rows}, {"samples", scores.samples}, {"targets", Json::object()}};
  for (const TargetScores& target : scores.targets) {
    Json interval;
    for (const IntervalScore& one : target.intervals)
      interval[fmt::format("{}", one.level)] = {{"coverage", one.coverage}, {"width", one.width}};
    Json nll = pair_json(target.nll);
    if (target.nll_floored > 0) nll["floored"] = target.nll_floored;
    json["targets"][target.name] = {
        {"mae", target.mae}, {"rmse", target.rmse},  {"crps", pair_json(target.crps)},
        {"nll", nll},        {"interval", interval}, {"qice", target.qice},
        {"pit", target.pit}};
  }
  json["energy_score"] = pair_json(scores.energy_score);
  return json.dump() + "\n";
}

std::string scores_text(const Scores& scores) {
  std::string text = fmt::format("{} rows, {} draws each\n", grouped(scores.rows), scores.samples);
  const auto pair = [](const MeanMedian& value) {
    return fmt::format("{:.5g}   (median {:.5g})", value.mean, value.median);
  };
  for (const TargetScores& target : scores.targets) {
    text += fmt::format("\n{}\n", target.name);
    text += fmt::format("  CRPS            {}\n", pair(target.crps));
    text += fmt::format("  NLL             {}\n", pair(target.nll));
    if (target.nll_floored > 0)
      text += fmt::format("                  {} rows had draws without spread: a floor stands in\n",
                          target.nll_floored);
    text += fmt::format("  MAE of median   {:.5g}\n  RMSE of mean    {:.5g}\n", target.mae, target.rmse);
    for (const IntervalScore& one : target.intervals)
      text += fmt::format("  {:2.0f}% interval    covers {:.1f}%, mean width {:.5g}\n", 100 * one.level,
                          100 * one.coverage, one.width);
    text += fmt::format("  QICE            {:.4f}\n  PIT, ten bins   ", target.qice);
    for (double share : target.pit) text += fmt::format("{:.3f} ", share);
    text.back() = '\n';
  }
  if (scores.targets.size() > 1)
    text += fmt::format("\nEnergy score, joint  {}\n", pair(scores.energy_score));
  return text;
}

void run_score(const ScoreFlags& flags) {
  const Model model = Model::load(flags.model);
  const auto source = source_for(model, flags.data, true, flags.run.threads);
  const std::size_t targets = model.targets().size();
  Scorer scorer(model.targets(), {0.5, 0.9}, flags.run.threads);
  ProgressBar bar;
  std::vector<double> observed;  // of one block
  const auto add = [&](const Predictive& draws, const Table& block, std::size_t begin) {
    if (begin == 0) observed = model.observed(block);
    scorer.add(draws, std::span(observed).subspan(begin * targets, draws.rows() * targets));
  };
  model::predict_blocks(
      model, *source, {flags.samples, flags.run.seed, flags.run.threads}, add,
      [&](std::size_t rows, std::optional<double> share) { bar.show(share, grouped(rows) + " rows"); });
  bar.clear();
  const Scores scores = scorer.finish();
  write_result("",
               [&](std::ostream& out) { out << (flags.json ? scores_json(scores) : scores_text(scores)); });
}

}  // namespace

void add_score(CLI::App& app) {
  auto flags = std::make_shared<ScoreFlags>();
  CLI::App* verb = app.add_subcommand("score", "Score a model on a table that has the targets");
  verb->add_option("model", flags->model, "Model file")->required();
  verb->add_option("data", flags->data, "Table with features and targets; - is standard input")->required();
  verb->add_option("--samples", flags->samples,
                   fmt::format("Samples per row, at least 2 [{}]", flags->samples))
      ->type_name("M")
      ->check(whole_number(2, 1000000));
  flags->run.add_seed(*verb, "draws");
  flags->run.add_threads(*verb);
  verb->add_flag("--json", flags->json, "Write JSON, in one line");
  verb->callback([flags] { run_score(*flags); });
}

}  // namespace mirrorball::cli
