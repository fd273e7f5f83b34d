#include "report/warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/number_text.h"

namespace mirrorball::report {
namespace {

using Weight = Warning::Weight;

constexpr std::size_t kFewRows = 100, kFewTrainingRows = 200;
constexpr double kPoorSkill = 0.05, kFarOff = 0.1, kManyOutside = 0.01, kVisibleBias = 0.05;

constexpr double kIntervalLevel = 0.9, kCollapsedOff = 0.05, kCollapsedErrors = 2;
constexpr std::size_t kFewStrange = 3;  ///< features with unknown categories that are named one by one

/// What concerns a row here and there is worth a note.
Weight few(std::size_t count, std::size_t rows) {
  return static_cast<double>(count) < kManyOutside * static_cast<double>(rows) ? Weight::kNote
                                                                               : Weight::kWarn;
}

/// "price: " where there are several targets.
std::string lead(const Findings& found, std::size_t target) {
  return found.targets.size() > 1 ? found.model.targets()[target] + ": " : "";
}

void about_amount(const Findings& found, std::vector<Warning>& to) {
  const std::size_t used = found.data.row_numbers.size();
  if (used < kFewRows)
    to.push_back({Weight::kWarn,
                  fmt::format("Only {}: all numbers are rough, and small weaknesses cannot be detected.",
                              counted_rows(used))});
  if (found.model.training_rows() < kFewTrainingRows)
    to.push_back({Weight::kNote, fmt::format("The model was trained on only {}.",
                                             counted_rows(found.model.training_rows()))});
  if (found.scored() && found.data.rows == found.model.training_rows())
    to.push_back(
        {Weight::kWarn,
         fmt::format(
             "The data has {}, as many as the training table. If it is the training table, all scores "
             "are too optimistic: use rows that were not in training.",
             counted_rows(found.data.rows))});
  if (found.data.without_outcome > 0)
    to.push_back({Weight::kNote,
                  fmt::format("{} without an outcome {} left out.", counted_rows(found.data.without_outcome),
                              found.data.without_outcome == 1 ? "is" : "are")});
  if (!found.data.missing_targets.empty())
    to.push_back(
        {Weight::kNote, fmt::format("The data has no column {}: accuracy and calibration cannot be computed.",
                                    listed(found.data.missing_targets))});
}

void about_model(const Findings& found, std::vector<Warning>& to) {
  const std::vector<NetworkHistory>& history = found.model.history();
  if (!found.model.noisy())
    to.push_back(
        {Weight::kWarn,
         "The networks of this model have no noise input and predict single numbers: the spread between "
         "networks is not a predictive distribution."});
  else if (found.model.calibration().empty())
    to.push_back(
        {Weight::kNote, "The model is not calibrated: its intervals come from the networks as they are."});
  const auto cut =
      std::count_if(history.begin(), history.end(), [](const NetworkHistory& one) { return one.stopped; });
  if (cut > 0)
    to.push_back(
        {Weight::kNote, fmt::format("Training was interrupted for {} of {} networks.", cut, history.size())});
}

void about_accuracy(const Findings& found, std::size_t t, std::vector<Warning>& to) {
  const TargetFindings& target = found.targets[t];
  const double skill = target.scores.skill.value;
  if (skill < 0)
    to.push_back(
        {Weight::kBad,
         fmt::format("{}The forecasts are worse than the training distribution, which ignores the features.",
                     lead(found, t))});
  else if (skill < kPoorSkill && target.references[0].crps > 0)
    to.push_back(
        {Weight::kWarn,
         fmt::format("{}The forecasts are hardly better than the training distribution (CRPS skill {}).",
                     lead(found, t), percent_change(skill))});
  const CalibrationCheck& check = found.forecasts.scores.targets[t].calibration;
  if (check.verdict == CalibrationCheck::Verdict::kNearly)
    to.push_back({Weight::kNote, lead(found, t) + check.words, true});
  if (check.verdict == CalibrationCheck::Verdict::kOff)
    to.push_back(
        {check.largest > kFarOff ? Weight::kBad : Weight::kWarn, lead(found, t) + check.words, true});
  const Reliability& reliable = target.reliable;
  const double rmse = found.forecasts.scores.targets[t].rmse;
  if (found.data.row_numbers.size() > 1 && std::fabs(reliable.bias) > 3 * reliable.bias_error &&
      std::fabs(reliable.bias) > kVisibleBias * rmse)
    to.push_back({std::fabs(reliable.bias) > 0.25 * rmse ? Weight::kWarn : Weight::kNote,
                  fmt::format("{}Forecasts are too {} by {} on average.", lead(found, t),
                              reliable.bias > 0 ? "low" : "high",
                              error_text(found.schema().targets[t], std::fabs(reliable.bias)))});
  if (target.outside > 0)
    to.push_back({few(target.outside, found.data.row_numbers.size()),
                  fmt::format("{}{} an outcome outside the training range, where forecasts are unreliable.",
                              lead(found, t), counted(target.outside, "row has", "rows have"))});
}

void about_spread(const Findings& found, std::size_t t, std::vector<Warning>& to) {
  const TargetFindings& target = found.targets[t];
  if (target.collapsed == 0 || !found.model.noisy()) return;
  if (found.scored() && !covers_too_few(target.collapsed, target.collapsed_coverage)) return;
  const std::size_t rows = found.data.row_numbers.size();
  to.push_back(
      {found.scored() && few(target.collapsed, rows) != Weight::kNote ? Weight::kBad : Weight::kWarn,
       fmt::format("{}The spread has collapsed for {}: the 90% interval is narrower than a thousandth "
                   "of the training interval{}.",
                   lead(found, t), counted_rows(target.collapsed),
                   found.scored() ? fmt::format(", and covers only {} of the outcomes",
                                                percent(target.collapsed_coverage))
                                  : "")});
}

/// One by one where few features have such categories, else together: a table of many text columns has some
/// by chance.
void about_categories(const Findings& found, std::vector<Warning>& to) {
  std::vector<const FeatureDrift*> strange;
  for (const FeatureDrift& one : found.data.drift)
    if (one.unseen_rows > 0) strange.push_back(&one);
  const auto weight = [&](const FeatureDrift& one) { return few(one.unseen_rows, found.data.rows); };
  if (strange.size() > kFewStrange) {
    std::stable_sort(strange.begin(), strange.end(),
                     [](const auto* a, const auto* b) { return a->unseen_rows > b->unseen_rows; });
    std::vector<std::string> names;
    for (const FeatureDrift* one : strange)
      names.push_back(fmt::format("{} ({})", one->name, counted_rows(one->unseen_rows)));
    to.push_back({weight(*strange.front()),
                  fmt::format("{} features have categories new or rare in training: {}. The model treats "
                              "such values as unknown.",
                              strange.size(), listed(names))});
    return;
  }
  for (const FeatureDrift* one : strange)
    to.push_back(
        {weight(*one),
         fmt::format("{} {} new or rare in training ({}), in {}: the model treats such values as unknown.",
                     one->name,
                     one->unseen_categories.size() == 1
                         ? "has a category"
                         : fmt::format("has {} categories", one->unseen_categories.size()),
                     listed(one->unseen_categories), counted_rows(one->unseen_rows))});
}

void about_data(const Findings& found, std::vector<Warning>& to) {
  std::vector<std::string> outside, large, missing;
  for (const FeatureDrift& one : found.data.drift) {
    if (one.outside() > 0) outside.push_back(one.name);
    if (one.verdict == FeatureDrift::Verdict::kLarge) large.push_back(one.name);
    if (one.missing > 0 && !one.missing_in_training) missing.push_back(one.name);
  }
  if (found.data.rows_outside > 0) {
    const double share = static_cast<double>(found.data.rows_outside) / static_cast<double>(found.data.rows);
    to.push_back(
        {share > kManyOutside ? Weight::kWarn : Weight::kNote,
         fmt::format(
             "{} ({}) {} a value outside the training range, in {}: forecasts there are extrapolations.",
             counted_rows(found.data.rows_outside), percent(share),
             found.data.rows_outside == 1 ? "has" : "have", listed(outside))});
  }
  about_categories(found, to);
  if (!missing.empty())
    to.push_back(
        {Weight::kWarn, fmt::format("Values are missing in {}, where training had no missing values: "
                                    "the model has not learned their effect.",
                                    listed(missing))});
  if (!large.empty())
    to.push_back({Weight::kWarn,
                  fmt::format("The data is very different from the training rows in {}.", listed(large))});
}

}  // namespace

bool covers_too_few(std::size_t rows, double coverage) {
  const double error = std::sqrt(kIntervalLevel * (1 - kIntervalLevel) / static_cast<double>(rows));
  return kIntervalLevel - coverage > std::max(kCollapsedOff, kCollapsedErrors * error);
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

}  // namespace mirrorball::report
