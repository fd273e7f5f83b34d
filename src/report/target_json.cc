#include "report/target_json.h"

#include <algorithm>
#include <cmath>

#include "base/order_statistics.h"
#include "report/feature_json.h"
#include "report/slice_json.h"
#include "score/calibration_json.h"
#include "score/calibration_words.h"

namespace mirrorball::report {
namespace {

constexpr std::size_t kMostShownDraws = 2000, kLeastShownDraws = 300;  ///< of all targets, and of each
constexpr std::size_t kMostSwarms = 120;

/// A score and the ends of its interval.
Json measured(const Measured& one) {
  return Json::array({number(one.value), number(one.interval.low), number(one.interval.high)});
}

Json reference(const Reference& one, const MeasuredScores& scores, const Paired& against) {
  Json json = {{"name", one.name},
               {"scores", scores_json(scores, !one.rows.width.empty())},
               {"paired", measured(against.difference)},
               {"better", number(against.better, 4)}};
  if (!one.widths.empty()) {
    json["widths"] = numbers(one.widths);
    json["coverages"] = numbers(one.coverages);
  }
  return json;
}

Json references(const TargetFindings& target) {
  Json array = Json::array();
  for (std::size_t i = 0; i < target.references.size(); ++i)
    array.push_back(reference(target.references[i], target.reference_scores[i], target.against[i]));
  return array;
}

Json intervals(const std::vector<IntervalScore>& scores) {
  Json array = Json::array();
  for (const IntervalScore& one : scores)
    array.push_back({{"level", one.level},
                     {"coverage", number(one.coverage)},
                     {"mass", number(one.mass)},
                     {"width", number(one.width)}});
  return array;
}

/// Of the widths of the 90% intervals over the rows.
Json width_quantiles(std::vector<double> widths) {
  constexpr int kSteps = 40;
  std::sort(widths.begin(), widths.end());
  Json array = Json::array();
  for (int k = 0; k <= kSteps; ++k) array.push_back(number(sorted_quantile(widths, k / double{kSteps})));
  return array;
}

Json thresholds(const std::vector<Threshold>& all, int digits) {
  Json array = Json::array();
  for (const Threshold& one : all)
    array.push_back({{"at", number(one.at, digits)},
                     {"rows", one.rows},
                     {"events", one.events},
                     {"probability", numbers(one.probability, 3)}});
  return array;
}

Json uncertainty(const Disagreement& found, bool scored) {
  const auto mean = [scored](const Disagreement::Mean& one) {
    Json json = {
        {"rows", one.rows}, {"aleatoric", number(one.aleatoric, 4)}, {"epistemic", number(one.epistemic, 4)}};
    if (scored) json["crps"] = number(one.crps, 4);
    return json;
  };
  Json json = mean(found.all);
  json["groups"] = Json::array();
  for (const Disagreement::Mean& group : found.groups) json["groups"].push_back(mean(group));
  return json;
}

Json weak(const TargetFindings& target) {
  Json array = Json::array();
  for (const WeakSpot& spot : target.weak)
    array.push_back({{"feature", spot.feature}, {"slice", spot.slice}});
  return array;
}

/// The samples of a shown row in ascending order: all of them, so that shares of repeated values are those
/// that are said elsewhere, or as many quantiles where the page would grow too large.
std::vector<double> shown_samples(const Predictive& forecast, std::size_t row, std::size_t t) {
  std::vector<double> sorted(forecast.row_samples(row, t).begin(), forecast.row_samples(row, t).end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t most = std::max(kLeastShownDraws, kMostShownDraws / forecast.targets());
  if (sorted.size() <= most) return sorted;
  std::vector<double> thinned;
  for (std::size_t i = 0; i < most; ++i) thinned.push_back(sorted[(2 * i + 1) * sorted.size() / (2 * most)]);
  return thinned;
}

Json shown(const Findings& found, std::size_t t, const ShownRows& picked) {
  Json array = Json::array();
  const int digits = digits_of(found.schema().targets[t]);
  for (std::size_t i = 0; i < picked.rows.size(); ++i) {
    const RowForecast& row = found.forecasts.at(picked.rows[i], t);
    Json one = {{"row", found.data.row_numbers[picked.rows[i]]},
                {"median", number(row.median, digits)},
                {"low", number(row.low, digits)},
                {"high", number(row.high, digits)},
                {"draws", numbers(shown_samples(picked.samples, i, t), found.schema().targets[t].digits)}};
    if (found.scored()) {
      one["outcome"] = number(found.forecasts.outcome(picked.rows[i], t), digits);
      one["crps"] = number(row.crps);
      one["pit"] = number(row.pit);
    }
    Json cells = Json::array();
    for (std::size_t f : found.fan_features) cells.push_back(cell(found, picked.rows[i], f));
    one["cells"] = std::move(cells);
    array.push_back(std::move(one));
  }
  return array;
}

Json effects(const Drivers& drivers, std::size_t t) {
  Json mean = Json::array(), spread = Json::array();
  for (std::size_t f = 0; f < drivers.features; ++f) {
    const auto one = [](const Drivers::Effect& effect) {
      return Json{{"size", number(effect.size, 4)},
                  {"error", number(effect.error, 2)},
                  {"direction", number(effect.direction, 3)}};
    };
    mean.push_back(one(drivers.of_mean(t, f)));
    spread.push_back(one(drivers.of_spread(t, f)));
  }
  return {{"mean", mean}, {"spread", spread}};
}

/// The Shapley values of single rows, feature by feature, and where the feature's value stands in training.
Json explained_rows(const Findings& found, std::size_t t) {
  const Drivers& drivers = found.drivers;
  Json rows = Json::array(), mean = Json::array(), spread = Json::array(), ranks = Json::array();
  for (std::size_t row : drivers.explained) rows.push_back(found.data.row_numbers[row]);
  for (std::size_t f = 0; f < drivers.features; ++f) {
    const ColumnSchema& feature = found.schema().features[f];
    const std::size_t column = found.data.table.column(feature.name);
    Json of_mean = Json::array(), of_spread = Json::array(), rank = Json::array();
    for (std::size_t i = 0; i < drivers.explained.size(); ++i) {
      of_mean.push_back(number(drivers.value(i, t, false, f), 3));
      of_spread.push_back(number(drivers.value(i, t, true, f), 3));
      const double value = feature.is_number() ? found.data.table.number(drivers.explained[i], column) : NAN;
      rank.push_back(std::isnan(value) ? Json() : number(TrainingColumn(feature).rank(value), 3));
    }
    mean.push_back(std::move(of_mean));
    spread.push_back(std::move(of_spread));
    ranks.push_back(std::move(rank));
  }
  return {{"row", rows}, {"mean", mean}, {"spread", spread}, {"rank", ranks}};
}

}  // namespace

Json scores_json(const MeasuredScores& scores, bool distribution) {
  Json json = {{"mae", measured(scores.mae)},
               {"rmse", measured(scores.rmse)},
               {"crps", measured(scores.crps)},
               {"skill", measured(scores.skill)},
               {"explained", measured(scores.explained)}};
  if (distribution) {
    json["width"] = measured(scores.width);
    json["coverage"] = measured(scores.coverage);
  }
  return json;
}

Json paired_json(const Paired& paired) {
  return {{"difference", measured(paired.difference)}, {"better", number(paired.better, 4)}};
}

Json check_json(const CalibrationCheck& check) {
  Json json = scoring::calibration_json(check, true);
  json["title"] = scoring::shape_title(check);
  json["evidence"] = scoring::calibration_evidence(check);
  for (const char* name : {"level", "share", "low", "high"})
    for (Json& value : json[name]) value = number(value.get<double>(), 4);
  for (const char* name : {"largest", "bias", "spread", "below_median", "ties"})
    json[name] = number(json[name].get<double>(), 4);
  return json;
}

Json target_json(const Findings& found, std::size_t t) {
  const TargetFindings& target = found.targets[t];
  const TrainingColumn training(found.schema().targets[t]);
  const int digits = digits_of(found.schema().targets[t]);
  Json one = {{"name", found.model.targets()[t]},
              {"spread", number(training.quantile(0.95) - training.quantile(0.05))}};
  if (training.has_quantiles()) {
    // As exact as the samples, which are not to lie outside.
    one["low"] = number(training.low(), found.schema().targets[t].digits);
    one["high"] = number(training.high(), found.schema().targets[t].digits);
  }
  if (const auto decimals = found.schema().targets[t].decimals()) one["decimals"] = *decimals;
  if (found.scored()) {
    const TargetScores& scores = found.forecasts.scores.targets[t];
    one["scores"] = scores_json(target.scores, true);
    one["nll"] = number(scores.nll.mean);
    one["bias"] = number(target.reliable.bias);
    one["calibration"] = check_json(scores.calibration);
    one["references"] = references(target);
    one["intervals"] = intervals(scores.intervals);
    one["split"] = {{"calibration", number(found.forecasts.split[t].calibration)},
                    {"sharpness", number(found.forecasts.split[t].sharpness)}};
    one["widths"] = width_quantiles(target.rows.width);
    one["pit"] = {{"shares", numbers(target.reliable.pit)},
                  {"low", number(target.reliable.pit_band.low)},
                  {"high", number(target.reliable.pit_band.high)}};
    one["groups"] = {{"spread", numbers(target.reliable.spread)}, {"error", numbers(target.reliable.error)}};
    one["weak"] = weak(target);
    one["slices"] = slices_json(found, t);
    one["thresholds"] = thresholds(target.thresholds, digits);
  }
  if (found.model.noisy() && found.model.sources() > 1)
    one["uncertainty"] = uncertainty(target.disagreement, found.scored());
  one["best"] = shown(found, t, target.best);
  one["worst"] = shown(found, t, target.worst);
  if (found.drivers.rows > 0) {
    one["drivers"] = effects(found.drivers, t);
    // A page of very many features must not grow without end.
    if (found.drivers.features * found.targets.size() <= kMostSwarms)
      one["drivers"]["rows"] = explained_rows(found, t);
  }
  return one;
}

}  // namespace mirrorball::report
