#include "report/summary.h"

#include <fmt/format.h>

#include <cmath>

#include "report/number_text.h"

namespace mirrorball::report {
namespace {

std::string these(std::size_t count) { return count == 1 ? "this row" : "these " + counted_rows(count); }

std::string coverage_sentence(const Findings& found, std::size_t t) {
  const double covered = found.forecasts.ninety(t).coverage;
  const std::string start = fmt::format("Its 90% intervals covered {} of the outcomes", percent(covered));
  switch (found.targets[t].reliable.promise) {
    case Promise::kKept:
      return start + ", which agrees with 90%.";
    case Promise::kTooNarrow:
      return start + ", fewer than they promise: it is too sure of itself.";
    case Promise::kTooWide:
      return start + ", more than they promise: they could be narrower.";
    case Promise::kExact:
      return start + ", and they have no width: every forecast is one number.";
  }
  return {};
}

std::string weakness_sentence(const TargetFindings& target) {
  if (target.weak.empty()) return "No part of the data stands out as weak.";
  const WeakSpot& spot = target.weak.front();
  return spot.uncovered
             ? fmt::format("It is weakest for rows with {}: there the 90% intervals cover only {}.",
                           spot.words, percent(spot.coverage))
             : fmt::format("It is weakest for rows with {}: errors there are {:.1f} times those elsewhere{}.",
                           spot.words, spot.error_ratio,
                           spot.width_ratio > 1.2 ? ", and its intervals are wider too" : "");
}

std::string target_sentences(const Findings& found, std::size_t t) {
  const TargetScores& scores = found.forecasts.scores.targets[t];
  const TargetFindings& target = found.targets[t];
  const double share = std::fabs(target.skill);
  const std::string against =
      target.skill >= 0 ? percent(share) + " better than" : percent(share) + " worse than";
  return fmt::format(
      "On {} the typical error of the forecast of {} is {}. As a whole distribution it is {} knowing "
      "nothing of a row "
      "(CRPS {} against {} of the training quantiles). {} {}",
      these(found.data.row_numbers.size()), scores.name, plain(scores.mae), against, plain(scores.crps.mean),
      plain(target.quantiles.crps), coverage_sentence(found, t), weakness_sentence(target));
}

std::string drift_sentence(const Findings& found) {
  std::vector<std::string> differ;
  for (const FeatureDrift& one : found.data.drift)
    if (one.verdict != FeatureDrift::Verdict::kSame) differ.push_back(one.name);
  return differ.empty()
             ? "The data looks like the training rows."
             : fmt::format("The data differs from the training rows in {} of {}: {}.", differ.size(),
                           counted(found.data.drift.size(), "feature", "features"), listed(differ));
}

}  // namespace

std::vector<std::string> summary(const Findings& found) {
  std::vector<std::string> all;
  if (found.scored())
    for (std::size_t t = 0; t < found.targets.size(); ++t) all.push_back(target_sentences(found, t));
  else
    all.push_back(
        fmt::format("The outcomes of {} are not known, so that nothing can be said about how good the "
                    "forecasts are. "
                    "This report shows the forecasts, what drives them, and how the data compares with the "
                    "training rows.",
                    these(found.data.row_numbers.size())));
  all.push_back(drift_sentence(found));
  return all;
}

}  // namespace mirrorball::report
