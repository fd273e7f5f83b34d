#include "cv_scores.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "base/grouped.h"
#include "base/plain_number.h"

namespace mirrorball::cli {
namespace {

using Json = nlohmann::ordered_json;

/// A score of one target: its name in a table and in JSON, and where it stands.
struct Measure {
  const char *title, *name;
  std::function<double(const TargetScores&)> of;
};

const std::vector<Measure>& measures() {
  static const std::vector<Measure> all = {
      {"CRPS", "crps", [](const TargetScores& target) { return target.crps.mean; }},
      {"MAE", "mae", [](const TargetScores& target) { return target.mae; }},
      {"RMSE", "rmse", [](const TargetScores& target) { return target.rmse; }},
      {"NLL", "nll", [](const TargetScores& target) { return target.nll.mean; }},
      {"cover 50%", "coverage_50", [](const TargetScores& target) { return target.intervals[0].coverage; }},
      {"cover 90%", "coverage_90", [](const TargetScores& target) { return target.intervals[1].coverage; }},
      {"width 90%", "width_90", [](const TargetScores& target) { return target.intervals[1].width; }}};
  return all;
}

struct OverFolds {
  double mean = 0, sd = 0;  ///< with folds - 1 below the line; 0 for one fold
};

OverFolds over_folds(const std::vector<double>& values) {
  const double n = static_cast<double>(values.size());
  OverFolds result;
  for (const double value : values) result.mean += value / n;
  for (const double value : values) result.sd += (value - result.mean) * (value - result.mean);
  result.sd = values.size() > 1 ? std::sqrt(result.sd / (n - 1)) : 0;
  return result;
}

std::vector<double> by_fold(const std::vector<FoldScores>& folds,
                            const std::function<double(const Scores&)>& of) {
  std::vector<double> values;
  for (const FoldScores& fold : folds) values.push_back(of(fold.scores));
  return values;
}

std::vector<double> by_fold(const std::vector<FoldScores>& folds, std::size_t target,
                            const Measure& measure) {
  return by_fold(folds, [&](const Scores& scores) { return measure.of(scores.targets[target]); });
}

Json score_json(const std::vector<double>& values) {
  const OverFolds over = over_folds(values);
  return {{"mean", over.mean}, {"sd", over.sd}, {"folds", values}};
}

}  // namespace

std::string cv_json(const std::vector<FoldScores>& folds, const std::string& split) {
  Json json = {{"folds", folds.size()},
               {"split", split},
               {"training_rows", Json::array()},
               {"test_rows", Json::array()},
               {"targets", Json::object()}};
  for (const FoldScores& fold : folds) {
    json["training_rows"].push_back(fold.training_rows);
    json["test_rows"].push_back(fold.scores.rows);
  }
  const std::vector<TargetScores>& targets = folds[0].scores.targets;
  for (std::size_t t = 0; t < targets.size(); ++t)
    for (const Measure& measure : measures())
      json["targets"][targets[t].name][measure.name] = score_json(by_fold(folds, t, measure));
  json["energy_score"] =
      score_json(by_fold(folds, [](const Scores& scores) { return scores.energy_score.mean; }));
  return json.dump() + "\n";
}

std::string cv_text(const std::vector<FoldScores>& folds, const std::string& split, const Paint& paint) {
  std::string text = fmt::format("{} folds, {}\n", folds.size(), split);
  const std::vector<TargetScores>& targets = folds[0].scores.targets;
  for (std::size_t t = 0; t < targets.size(); ++t) {
    std::string titles = fmt::format("  {:<6}{:>10}", "fold", "rows");
    for (const Measure& measure : measures()) titles += fmt::format("{:>11}", measure.title);
    text += fmt::format("\n{}\n{}", paint.bold(targets[t].name), paint.dim(titles));
    for (std::size_t i = 0; i < folds.size(); ++i) {
      text += fmt::format("\n  {:<6}{:>10}", i + 1, grouped(folds[i].scores.rows));
      for (const Measure& measure : measures())
        text += fmt::format("{:>11}", plain_number(measure.of(folds[i].scores.targets[t])));
    }
    std::string means = fmt::format("  {:<16}", "mean"), sds = fmt::format("\n  {:<16}", "± sd");
    for (const Measure& measure : measures()) {
      const OverFolds over = over_folds(by_fold(folds, t, measure));
      means += fmt::format("{:>11}", plain_number(over.mean));
      sds += fmt::format("{:>11}", plain_number(over.sd, 2));
    }
    text += "\n" + paint.bold(means) + sds + "\n";
  }
  if (targets.size() > 1) {
    const OverFolds energy =
        over_folds(by_fold(folds, [](const Scores& scores) { return scores.energy_score.mean; }));
    text += fmt::format("\nEnergy score, joint  {} ± {}\n", plain_number(energy.mean),
                        plain_number(energy.sd, 2));
  }
  return text;
}

}  // namespace mirrorball::cli
