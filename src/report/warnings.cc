#include "report/warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/number_text.h"

namespace mirrorball::report {
namespace {

using Weight = Warning::Weight;

constexpr std::size_t kFewRows = 100, kFewTrainingRows = 200;
constexpr double kPoorSkill = 0.05, kFarOff = 0.05, kManyOutside = 0.01, kVisibleBias = 0.05;

/// "price: " where there are several targets.
std::string lead(const Findings& found, std::size_t target) {
  return found.targets.size() > 1 ? found.model.targets()[target] + ": " : "";
}

void about_amount(const Findings& found, std::vector<Warning>& to) {
  const std::size_t used = found.data.row_numbers.size();
  if (used < kFewRows)
    to.push_back(
        {Weight::kWarn, fmt::format("Only {}: every number here is rough, and small weaknesses cannot show.",
                                    counted_rows(used))});
  if (found.model.training_rows() < kFewTrainingRows)
    to.push_back({Weight::kNote, fmt::format("The model was trained on only {}.",
                                             counted_rows(found.model.training_rows()))});
  if (found.scored() && found.data.rows == found.model.training_rows())
    to.push_back(
        {Weight::kWarn,
         fmt::format("The data has {}, as many as the training table. If it is the same table, the model has "
                     "seen these outcomes, and everything here looks better than it is.",
                     counted_rows(found.data.rows))});
  if (found.data.without_outcome > 0)
    to.push_back({Weight::kNote,
                  fmt::format("{} without an outcome {} left out.", counted_rows(found.data.without_outcome),
                              found.data.without_outcome == 1 ? "is" : "are")});
  if (!found.data.missing_targets.empty())
    to.push_back(
        {Weight::kNote, fmt::format("The data has no {}: nothing can be said about accuracy and calibration.",
                                    listed(found.data.missing_targets))});
}

void about_model(const Findings& found, std::vector<Warning>& to) {
  const std::vector<NetworkHistory>& history = found.model.history();
  if (!found.model.noisy())
    to.push_back({Weight::kWarn,
                  "The networks of this model have no noise input: they give one number each, and the spread "
                  "between them "
                  "is not a forecast's spread."});
  else if (found.model.calibration().empty())
    to.push_back({Weight::kNote, "The model is not calibrated: its intervals are the networks' own."});
  const auto cut =
      std::count_if(history.begin(), history.end(), [](const NetworkHistory& one) { return one.stopped; });
  if (cut > 0)
    to.push_back(
        {Weight::kNote, fmt::format("Training was cut short for {} of {} networks.", cut, history.size())});
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
  const double covered = found.forecasts.ninety(t).coverage;
  if (target.reliable.promise == Promise::kTooNarrow)
    to.push_back(
        {covered < 0.9 - kFarOff ? Weight::kBad : Weight::kWarn,
         fmt::format(
             "{}The 90% intervals cover only {} of the outcomes: the model is too sure of itself here.",
             lead(found, t), percent(covered))});
  if (target.reliable.promise == Promise::kTooWide)
    to.push_back(
        {Weight::kNote,
         fmt::format("{}The 90% intervals cover {} of the outcomes: they are wider than they need to be.",
                     lead(found, t), percent(covered))});
  const Reliability& reliable = target.reliable;
  const double rmse = found.forecasts.scores.targets[t].rmse;
  if (found.data.row_numbers.size() > 1 && std::fabs(reliable.bias) > 3 * reliable.bias_error &&
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
  if (target.collapsed == 0 || !found.model.noisy()) return;
  if (found.scored() && target.collapsed_coverage >= 0.9 - kFarOff) return;  // one number, and the right one
  to.push_back({found.scored() ? Weight::kBad : Weight::kWarn,
                fmt::format("{}The spread has collapsed for {}: the 90% interval is less than a thousandth "
                            "of the training rows'{}.",
                            lead(found, t), counted_rows(target.collapsed),
                            found.scored() ? fmt::format(", and only {} of the outcomes lie in it",
                                                         percent(target.collapsed_coverage))
                                           : "")});
}

void about_data(const Findings& found, std::vector<Warning>& to) {
  std::vector<std::string> outside, large, gaps;
  for (const FeatureDrift& one : found.data.drift) {
    if (one.outside() > 0) outside.push_back(one.name);
    if (one.verdict == FeatureDrift::Verdict::kLarge) large.push_back(one.name);
    if (one.gaps > 0 && !one.gaps_in_training) gaps.push_back(one.name);
  }
  if (found.data.rows_outside > 0) {
    const double share = static_cast<double>(found.data.rows_outside) / static_cast<double>(found.data.rows);
    to.push_back(
        {share > kManyOutside ? Weight::kWarn : Weight::kNote,
         fmt::format("{} ({}) {} a value outside the training range, in {}: forecasts there are guesses.",
                     counted_rows(found.data.rows_outside), percent(share),
                     found.data.rows_outside == 1 ? "has" : "have", listed(outside))});
  }
  for (const FeatureDrift& one : found.data.drift)
    if (one.unseen_rows > 0)
      to.push_back(
          {Weight::kWarn,
           fmt::format("{} {} never seen in training ({}), in {}: such a level tells the model nothing.",
                       one.name,
                       one.unseen_levels.size() == 1 ? "has a level"
                                                     : fmt::format("has {} levels", one.unseen_levels.size()),
                       listed(one.unseen_levels), counted_rows(one.unseen_rows))});
  if (!gaps.empty())
    to.push_back({Weight::kWarn, fmt::format("Values are missing in {}, which had none missing in training: "
                                             "the model has not learned what a gap there means.",
                                             listed(gaps))});
  if (!large.empty())
    to.push_back({Weight::kWarn,
                  fmt::format("The data is very different from the training rows in {}.", listed(large))});
}

}  // namespace

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

}  // namespace mirrorball::report
