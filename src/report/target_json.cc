#include "report/target_json.h"

#include "report/feature_json.h"

namespace mirrorball::report {
namespace {

const char* promise_word(Promise promise) {
  switch (promise) {
    case Promise::kKept:
      return "kept";
    case Promise::kTooNarrow:
      return "narrow";
    case Promise::kTooWide:
      return "wide";
    case Promise::kExact:
      return "exact";
  }
  return "";
}

Json reference(const Reference& one) {
  Json json = {{"mae", number(one.mae)}, {"rmse", number(one.rmse)}, {"crps", number(one.crps)}};
  if (!one.widths.empty()) {
    json["widths"] = numbers(one.widths);
    json["coverages"] = numbers(one.coverages);
  }
  return json;
}

Json intervals(const std::vector<IntervalScore>& scores, const std::vector<Band>& bands) {
  Json array = Json::array();
  for (std::size_t i = 0; i < scores.size(); ++i)
    array.push_back({{"level", scores[i].level},
                     {"coverage", number(scores[i].coverage)},
                     {"width", number(scores[i].width)},
                     {"low", number(bands[i].low)},
                     {"high", number(bands[i].high)}});
  return array;
}

Json reliability_of(const Reliability& one) {
  Json low = Json::array(), high = Json::array();
  for (const Band& band : one.band) {
    low.push_back(number(band.low));
    high.push_back(number(band.high));
  }
  return {{"level", numbers(one.level)}, {"below", numbers(one.below)}, {"low", low}, {"high", high}};
}

Json weak(const std::vector<WeakSpot>& spots) {
  Json array = Json::array();
  for (const WeakSpot& spot : spots)
    array.push_back({{"feature", spot.feature},
                     {"words", spot.words},
                     {"rows", spot.rows},
                     {"error_ratio", number(spot.error_ratio, 3)},
                     {"width_ratio", number(spot.width_ratio, 3)},
                     {"coverage", number(spot.coverage)},
                     {"uncovered", spot.uncovered}});
  return array;
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
                {"draws", numbers(picked.draws.draws(i, t), digits)}};
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
      return Json{{"size", number(effect.size, 4)}, {"direction", number(effect.direction, 3)}};
    };
    mean.push_back(one(drivers.of_mean(t, f)));
    spread.push_back(one(drivers.of_spread(t, f)));
  }
  return {{"mean", mean}, {"spread", spread}};
}

}  // namespace

Json target_json(const Findings& found, std::size_t t) {
  const TargetFindings& target = found.targets[t];
  const TrainingColumn training(found.schema().targets[t]);
  const int digits = digits_of(found.schema().targets[t]);
  Json one = {{"name", found.model.targets()[t]},
              {"spread", number(training.quantile(0.95) - training.quantile(0.05))}};
  if (training.has_quantiles()) {
    one["low"] = number(training.low(), digits);
    one["high"] = number(training.high(), digits);
  }
  if (found.scored()) {
    const TargetScores& scores = found.forecasts.scores.targets[t];
    one["scores"] = {{"mae", number(scores.mae)},           {"rmse", number(scores.rmse)},
                     {"crps", number(scores.crps.mean)},    {"nll", number(scores.nll.mean)},
                     {"skill", number(target.skill)},       {"explained", number(target.explained)},
                     {"bias", number(target.reliable.bias)}};
    one["promise"] = promise_word(target.reliable.promise);
    one["references"] = {{"quantiles", reference(target.quantiles)}, {"mean", reference(target.mean)}};
    one["intervals"] = intervals(scores.intervals, target.reliable.interval_bands);
    one["pit"] = {{"shares", numbers(target.reliable.pit)},
                  {"low", number(target.reliable.pit_band.low)},
                  {"high", number(target.reliable.pit_band.high)}};
    one["reliability"] = reliability_of(target.reliable);
    one["groups"] = {{"spread", numbers(target.reliable.spread)}, {"error", numbers(target.reliable.error)}};
    one["weak"] = weak(target.weak);
  }
  one["best"] = shown(found, t, target.best);
  one["worst"] = shown(found, t, target.worst);
  if (found.drivers.rows > 0) one["drivers"] = effects(found.drivers, t);
  return one;
}

}  // namespace mirrorball::report
