#include "report/warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/parts.h"
#include "report/words.h"

namespace mirrorball {
namespace {

using Weight = Warning::Weight;

constexpr std::size_t kFewRows = 100, kFewTrainingRows = 200;
constexpr double kPoorSkill = 0.05, kFarOff = 0.05, kManyOutside = 0.01, kVisibleBias = 0.05;
constexpr std::size_t kNamed = 4;  ///< names listed in one sentence

std::string rows(std::size_t count) { return counted(count, "row", "rows"); }

std::string these(std::size_t count) { return count == 1 ? "this row" : "these " + rows(count); }

std::string names(const std::vector<std::string>& all) {
  std::string text;
  for (std::size_t i = 0; i < std::min(all.size(), kNamed); ++i)
    text += (i == 0 ? "" : i + 1 == all.size() ? " and " : ", ") + all[i];
  return all.size() > kNamed ? fmt::format("{} and {} more", text, all.size() - kNamed) : text;
}

const IntervalScore& ninety(const Findings& found, std::size_t target) {
  const auto& intervals = found.forecasts.scores.targets[target].intervals;
  return *std::find_if(intervals.begin(), intervals.end(),
                       [](const IntervalScore& one) { return one.level == 0.9; });
}

/// "price: " where there are several targets.
std::string lead(const Findings& found, std::size_t target) {
  return found.targets.size() > 1 ? found.model.targets()[target] + ": " : "";
}

void about_amount(const Findings& found, std::vector<Warning>& to) {
  const std::size_t used = found.row_numbers.size();
  if (used < kFewRows)
    to.push_back(
        {Weight::kWarn,
         fmt::format("Only {}: every number here is rough, and small weaknesses cannot show.", rows(used))});
  if (found.model.training_rows() < kFewTrainingRows)
    to.push_back(
        {Weight::kNote, fmt::format("The model was trained on only {}.", rows(found.model.training_rows()))});
  if (found.scored() && found.data_rows == found.model.training_rows())
    to.push_back(
        {Weight::kWarn,
         fmt::format("The data has {}, as many as the training table. If it is the same table, the model has "
                     "seen these outcomes, and everything here looks better than it is.",
                     rows(found.data_rows))});
  if (found.without_outcome > 0)
    to.push_back(
        {Weight::kNote, fmt::format("{} without an outcome {} left out.", rows(found.without_outcome),
                                    found.without_outcome == 1 ? "is" : "are")});
  if (!found.missing_targets.empty())
    to.push_back(
        {Weight::kNote, fmt::format("The data has no {}: nothing can be said about accuracy and calibration.",
                                    names(found.missing_targets))});
}

void about_model(const Findings& found, std::vector<Warning>& to) {
  const Model::Parts& parts = found.model.parts();
  if (!parts.shape.noisy())
    to.push_back({Weight::kWarn,
                  "The networks of this model have no noise input: they give one number each, and the spread "
                  "between them "
                  "is not a forecast's spread."});
  else if (!parts.is_calibrated())
    to.push_back({Weight::kNote, "The model is not calibrated: its intervals are the networks' own."});
  const auto cut = std::count_if(parts.history.begin(), parts.history.end(),
                                 [](const NetworkHistory& one) { return one.stopped; });
  if (cut > 0)
    to.push_back({Weight::kNote,
                  fmt::format("Training was cut short for {} of {} networks.", cut, parts.history.size())});
}

void about_accuracy(const Findings& found, std::size_t t, std::vector<Warning>& to) {
  const TargetFindings& target = found.targets[t];
  if (target.skill < 0)
    to.push_back(
        {Weight::kBad,
         fmt::format("{}The forecasts are worse than the training quantiles, which know nothing of a row.",
                     lead(found, t))});
  else if (target.skill < kPoorSkill && target.quantiles.crps > 0)
    to.push_back(
        {Weight::kWarn, fmt::format("{}The forecasts are hardly better than knowing nothing of a row ({}).",
                                    lead(found, t), percent(target.skill))});
  const double covered = ninety(found, t).coverage;
  if (promise(found, t) == Promise::kTooNarrow)
    to.push_back(
        {covered < 0.9 - kFarOff ? Weight::kBad : Weight::kWarn,
         fmt::format(
             "{}The 90% intervals cover only {} of the outcomes: the model is too sure of itself here.",
             lead(found, t), percent(covered))});
  if (promise(found, t) == Promise::kTooWide)
    to.push_back(
        {Weight::kNote,
         fmt::format("{}The 90% intervals cover {} of the outcomes: they are wider than they need to be.",
                     lead(found, t), percent(covered))});
  const Reliability& reliable = target.reliable;
  const double rmse = found.forecasts.scores.targets[t].rmse;
  if (found.row_numbers.size() > 1 && std::fabs(reliable.bias) > 3 * reliable.bias_error &&
      std::fabs(reliable.bias) > kVisibleBias * rmse)
    to.push_back({std::fabs(reliable.bias) > 0.25 * rmse ? Weight::kWarn : Weight::kNote,
                  fmt::format("{}Forecasts are too {} by {} on average.", lead(found, t),
                              reliable.bias > 0 ? "low" : "high", plain(std::fabs(reliable.bias)))});
  if (target.outside > 0)
    to.push_back(
        {Weight::kWarn,
         fmt::format(
             "{}{} an outcome outside the range of the training rows, where the model cannot follow well.",
             lead(found, t), counted(target.outside, "row has", "rows have"))});
}

void about_spread(const Findings& found, std::size_t t, std::vector<Warning>& to) {
  const TargetFindings& target = found.targets[t];
  if (target.collapsed == 0 || !found.model.parts().shape.noisy()) return;
  if (found.scored() && target.collapsed_coverage >= 0.9 - kFarOff) return;  // one number, and the right one
  to.push_back({found.scored() ? Weight::kBad : Weight::kWarn,
                fmt::format("{}The spread has collapsed for {}: the 90% interval is less than a thousandth "
                            "of the training rows'{}.",
                            lead(found, t), rows(target.collapsed),
                            found.scored() ? fmt::format(", and only {} of the outcomes lie in it",
                                                         percent(target.collapsed_coverage))
                                           : "")});
}

void about_data(const Findings& found, std::vector<Warning>& to) {
  std::vector<std::string> outside, large, gaps;
  for (const FeatureDrift& one : found.drift) {
    if (one.outside() > 0) outside.push_back(one.name);
    if (one.verdict == FeatureDrift::Verdict::kLarge) large.push_back(one.name);
    if (one.gaps > 0 && !one.gaps_in_training) gaps.push_back(one.name);
  }
  if (found.rows_outside > 0) {
    const double share = static_cast<double>(found.rows_outside) / static_cast<double>(found.data_rows);
    to.push_back(
        {share > kManyOutside ? Weight::kWarn : Weight::kNote,
         fmt::format("{} ({}) {} a value outside the training range, in {}: forecasts there are guesses.",
                     rows(found.rows_outside), percent(share), found.rows_outside == 1 ? "has" : "have",
                     names(outside))});
  }
  for (const FeatureDrift& one : found.drift)
    if (one.unseen_rows > 0)
      to.push_back(
          {Weight::kWarn,
           fmt::format("{} {} never seen in training ({}), in {}: such a level tells the model nothing.",
                       one.name,
                       one.unseen_levels.size() == 1 ? "has a level"
                                                     : fmt::format("has {} levels", one.unseen_levels.size()),
                       names(one.unseen_levels), rows(one.unseen_rows))});
  if (!gaps.empty())
    to.push_back({Weight::kWarn, fmt::format("Values are missing in {}, which had none missing in training: "
                                             "the model has not learned what a gap there means.",
                                             names(gaps))});
  if (!large.empty())
    to.push_back({Weight::kWarn,
                  fmt::format("The data is very different from the training rows in {}.", names(large))});
}

std::string coverage_sentence(const Findings& found, std::size_t t) {
  const double covered = ninety(found, t).coverage;
  const std::string start = fmt::format("Its 90% intervals covered {} of the outcomes", percent(covered));
  switch (promise(found, t)) {
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
      these(found.row_numbers.size()), scores.name, plain(scores.mae), against, plain(scores.crps.mean),
      plain(target.quantiles.crps), coverage_sentence(found, t), weakness_sentence(target));
}

std::string drift_sentence(const Findings& found) {
  std::vector<std::string> differ;
  for (const FeatureDrift& one : found.drift)
    if (one.verdict != FeatureDrift::Verdict::kSame) differ.push_back(one.name);
  return differ.empty()
             ? "The data looks like the training rows."
             : fmt::format("The data differs from the training rows in {} of {}: {}.", differ.size(),
                           counted(found.drift.size(), "feature", "features"), names(differ));
}

}  // namespace

Promise promise(const Findings& found, std::size_t target) {
  const auto [level, covered, width] = ninety(found, target);
  if (width == 0 && covered >= level) return Promise::kExact;
  if (chance_band(found.row_numbers.size(), level).contains(covered)) return Promise::kKept;
  return covered < level ? Promise::kTooNarrow : Promise::kTooWide;
}

std::vector<Warning> warnings(const Findings& found) {
  std::vector<Warning> all;
  for (std::size_t t = 0; t < found.targets.size(); ++t) {
    if (found.scored()) about_accuracy(found, t, all);
    about_spread(found, t, all);
  }
  about_data(found, all);
  about_model(found, all);
  about_amount(found, all);
  std::stable_sort(all.begin(), all.end(),
                   [](const Warning& a, const Warning& b) { return a.weight > b.weight; });
  return all;
}

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
                    these(found.row_numbers.size())));
  all.push_back(drift_sentence(found));
  return all;
}

}  // namespace mirrorball
