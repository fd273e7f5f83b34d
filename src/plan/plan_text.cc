#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/grouped.h"
#include "mirrorball/plan.h"
#include "plan/fields.h"
#include "plan/rules.h"

namespace mirrorball {
namespace {

std::string named(const char* option, int choice) {
  return plan::choices_of(option)[static_cast<std::size_t>(choice)];
}

std::string several(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", grouped(count), count == 1 ? one : many);
}

std::string rows_text(const Plan& plan) {
  if (plan.folds > 0)
    return fmt::format("{} in {} folds, each left out by some networks for validation",
                       grouped(plan.training_rows + plan.validation_rows), plan.folds);
  std::string text = fmt::format("{} for training", grouped(plan.training_rows));
  if (plan.validation_rows > 0) text += fmt::format(", {} for validation", grouped(plan.validation_rows));
  if (!plan.valid_by.empty()) text += fmt::format(" (the last by {})", plan.valid_by);
  if (!plan.group.empty()) text += fmt::format(" (whole groups of {})", plan.group);
  if (plan.conformal_rows > 0)
    text += fmt::format(", {} held out for conformal calibration", grouped(plan.conformal_rows));
  return text;
}

/// "the date 'ordered' also by weekday and day of the year"
std::string cycles_text(const InputPlan& input) {
  std::vector<std::string> words;
  for (const DateCycle cycle : input.cycles)
    words.push_back(cycle == DateCycle::kDay    ? "time of day"
                    : cycle == DateCycle::kWeek ? "weekday"
                                                : "day of the year");
  return fmt::format("the date '{}' also by {}", input.name, fmt::join(words, ", "));
}

/// "8 numbers (5 rankit, 3 even; 8 also by value), 2 categories (14 values), 1 column with missing values"
std::string inputs_text(const Plan& plan) {
  std::map<std::string, std::size_t> transforms;
  std::size_t numbers = 0, by_value = 0, categories = 0, values = 0, missing = 0;
  for (const InputPlan& input : plan.inputs) {
    missing += input.missing;
    if (input.type == ColumnType::kCategory) {
      ++categories;
      values += input.categories;
      continue;
    }
    ++numbers;
    by_value += input.by_value;
    ++transforms[named("input_transform", static_cast<int>(input.transform))];
  }
  std::vector<std::string> parts;
  if (numbers > 0) {
    std::vector<std::string> kinds;
    for (const auto& [name, count] : transforms) kinds.push_back(fmt::format("{} {}", count, name));
    parts.push_back(fmt::format("{} ({}{})", several(numbers, "number", "numbers"), fmt::join(kinds, ", "),
                                by_value > 0 ? fmt::format("; {} also by value", by_value) : ""));
  }
  if (categories > 0)
    parts.push_back(fmt::format("{} ({})", several(categories, "category", "categories"),
                                several(values, "value", "values")));
  for (const InputPlan& input : plan.inputs)
    if (!input.cycles.empty()) parts.push_back(cycles_text(input));
  if (missing > 0) parts.push_back(several(missing, "column", "columns") + " with missing values");
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// "price (smooth), demand (quantile)"
std::string targets_text(const Plan& plan) {
  std::vector<std::string> parts;
  for (const TargetPlan& target : plan.targets)
    parts.push_back(
        fmt::format("{} ({})", target.name, named("target_transform", static_cast<int>(target.transform))));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string network_text(const Plan& plan) {
  std::string text = fmt::format("{} {}, {} x {} units, {}", plan.networks,
                                 named("architecture", static_cast<int>(plan.architecture)), plan.layers,
                                 plan.width, named("activation", static_cast<int>(plan.activation)));
  if (plan.noise_dim > 0) text += fmt::format(", noise dimension {}", plan.noise_dim);
  if (plan.waves > 0) text += fmt::format(", {} waves per number", plan.waves);
  return text;
}

std::string step_text(const Plan& plan) {
  std::string text = fmt::format("{} of {} rows at most", several(plan.steps(), "step", "steps"), plan.batch);
  if (plan.noise_dim > 0)
    text += fmt::format(", {} {}{} draws per row{}", plan.draws,
                        plan.stratified ? "stratified" : "independent", plan.fair ? " (fair)" : "",
                        plan.noise_table > 0 ? fmt::format(" from {} noise values", plan.noise_table) : "");
  return text + ", " + named("precision", static_cast<int>(plan.precision));
}

std::string epochs_text(const Plan& plan) {
  std::string text = several(static_cast<std::size_t>(plan.epochs), "epoch", "epochs");
  if (plan.validation_rows == 0) return text + ", the last one kept";
  text += fmt::format(", the best from epoch {} on", std::max(1, plan.best_from));
  if (plan.patience > 0) text += fmt::format(", stops after {} without a better score", plan.patience);
  return text;
}

std::string rate_text(const Plan& plan) {
  std::string text =
      fmt::format("{:g} ({}", plan.learning_rate, named("schedule", static_cast<int>(plan.schedule)));
  if (plan.schedule == Schedule::kCosine) text += fmt::format(", warm-up {:g}%", 100 * plan.warmup);
  return text + ")";
}

std::string calibration_text(const Plan& plan) {
  if (plan.calibrate == Calibrate::kNone) return "none";
  std::string text = named("calibrate", static_cast<int>(plan.calibrate));
  if (plan.calibration_rows > 0) text += fmt::format(", on {} rows", grouped(plan.calibration_rows));
  if (plan.calibrate == Calibrate::kConformal)
    text += fmt::format(", the interval on {} others", grouped(plan.interval_rows));
  if (plan.tails) text += plan.keep_tails ? ", with heavier tails" : ", heavier tails where they help";
  return text;
}

}  // namespace

std::string to_text(const Plan& plan) {
  std::string text;
  const auto line = [&](const char* title, const std::string& words) {
    text += fmt::format("  {:<14} {}\n", title, words);
  };
  line("rows", rows_text(plan));
  if (plan.sample_rows > 0)
    line("cache",
         fmt::format("networks read their rows from a file, {} shuffled together; all else goes by a "
                     "sample of {} rows",
                     grouped(plan.shuffled_rows), grouped(plan.sample_rows)));
  line("inputs", inputs_text(plan));
  line("targets", targets_text(plan));
  line("networks", network_text(plan));
  line("training", epochs_text(plan));
  line("steps", step_text(plan));
  line("learning rate", rate_text(plan));
  if (plan.refit)
    line("refit", fmt::format("on all {} rows, learning rate {:g}, at most {}",
                              grouped(plan.training_rows + plan.validation_rows), plan.refit_learning_rate,
                              several(static_cast<std::size_t>(plan::refit_plan(plan, plan.epochs).epochs),
                                      "epoch", "epochs")));
  line("forest", plan.trees > 0
                     ? fmt::format("{} trees, its weight chosen on the validation rows{}", plan.trees,
                                   plan.sample_rows > 0 ? ", grown from the sample" : "")
                     : "none");
  if (plan.process_rows > 0)
    line("process", fmt::format("a Gaussian process on {} rows, its weight chosen on the validation rows",
                                grouped(plan.process_rows)));
  if (plan.boosting > 0)
    line("boosted trees",
         fmt::format("at most {} on {} rows, used where they lower the validation CRPS clearly",
                     grouped(static_cast<std::size_t>(plan.boosting)), grouped(plan.boost_rows)));
  if (plan.neighbour_rows > 0)
    line("neighbours",
         fmt::format("among {} rows in a learned metric, used where they lower the validation CRPS clearly",
                     grouped(plan.neighbour_rows)));
  line("calibration", calibration_text(plan));
  if (plan.time_limit > 0) line("time limit", fmt::format("{:g} s", plan.time_limit));
  line("seed", std::to_string(plan.seed));
  return text;
}

}  // namespace mirrorball
