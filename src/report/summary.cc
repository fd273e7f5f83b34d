#include "report/summary.h"

#include <fmt/format.h>

#include <cmath>

#include "report/number_text.h"

namespace mirrorball::report {
namespace {

std::string these(std::size_t count) { return count == 1 ? "this row" : "these " + counted_rows(count); }

std::string weakness_sentence(const Findings& found, const TargetFindings& target) {
  if (target.weak.empty()) return "No subset of the rows stands out as weak.";
  const auto [f, s] = target.weak.front();
  const SliceScores& spot = target.slices[f][s];
  const std::string words = found.slices[f].slices[s].words(found.schema().features[f]);
  return spot.uncovered
             ? fmt::format("Weakest for rows with {}: there the 90% intervals cover {} (expected: {}).",
                           words, percent_with_decimal(spot.coverage), percent_with_decimal(spot.mass))
             : fmt::format("Weakest for rows with {}: errors there are {:.1f} times as large as elsewhere{}.",
                           words, spot.error_ratio,
                           spot.width_ratio > 1.2 ? ", and the intervals are wider too" : "");
}

std::string target_sentences(const Findings& found, std::size_t t) {
  const TargetScores& scores = found.forecasts.scores.targets[t];
  const TargetFindings& target = found.targets[t];
  const double range = error_range(found.schema().targets[t]);
  const double skill = target.scores.skill.value;
  const std::string against = percent_change(std::fabs(skill)) + (skill >= 0 ? " lower" : " higher");
  return fmt::format(
      "On {} the mean absolute error of {} is {}. The CRPS is {}, {} than that of the training distribution "
      "({}). {} {}",
      these(found.data.row_numbers.size()), scores.name, estimate(scores.mae, range),
      estimate(scores.crps.mean, range), against, estimate(target.references[0].crps, range),
      scores.calibration.words, weakness_sentence(found, target));
}

/// How frequent categories were in training is not known: of them, only new ones can be seen.
std::string all_as_in_training(const std::vector<FeatureDrift>& all) {
  std::size_t numbers = 0, fresh = 0;
  for (const FeatureDrift& one : all) {
    numbers += one.type == ColumnType::kNumber;
    fresh += one.unseen_rows;
  }
  if (numbers == all.size()) return "The features are distributed as in the training rows.";
  const std::string categories = fresh == 0 ? "no new categories" : "hardly any new categories";
  return numbers == 0
             ? fmt::format("The features have {}.", categories)
             : fmt::format(
                   "The numeric features are distributed as in the training rows, the others have {}.",
                   categories);
}

std::string drift_sentence(const Findings& found) {
  std::vector<std::string> differ;
  for (const FeatureDrift& one : found.data.drift)
    if (one.verdict != FeatureDrift::Verdict::kSame) differ.push_back(one.name);
  if (differ.empty()) return all_as_in_training(found.data.drift);
  return fmt::format("The data differs from the training rows in {} of {}: {}.", differ.size(),
                     counted(found.data.drift.size(), "feature", "features"), listed(differ));
}

}  // namespace

std::vector<std::string> summary(const Findings& found) {
  std::vector<std::string> all;
  if (found.scored())
    for (std::size_t t = 0; t < found.targets.size(); ++t) all.push_back(target_sentences(found, t));
  else
    all.push_back(fmt::format(
        "The table has no outcomes for {}, so accuracy and calibration cannot be computed. This "
        "report shows the forecasts, what drives them, and how the data compares with the training "
        "rows.",
        these(found.data.row_numbers.size())));
  all.push_back(drift_sentence(found));
  return all;
}

}  // namespace mirrorball::report
