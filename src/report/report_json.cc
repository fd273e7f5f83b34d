#include "report/report_json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "mirrorball/version.h"
#include "model/parts.h"
#include "report/rows.h"

namespace mirrorball {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kDigits = 5;  ///< of numbers that are drawn
constexpr std::size_t kSampleCells = 40'000,
                      kMostSample = 800;  ///< rows shown as dots, by the number of features
constexpr std::size_t kShownDraws = 300;  ///< of a row whose density is drawn
constexpr std::size_t kFanSlices = 24, kFanLevels = 12, kMostEpochs = 240, kShownUnseen = 5;

/// What is not finite is null.
Json number(double value, int digits = kDigits) {
  if (!std::isfinite(value)) return nullptr;
  char text[40];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits).ptr;
  double rounded = 0;
  std::from_chars(text, end, rounded);
  if (rounded == std::nearbyint(rounded) && std::fabs(rounded) < 1e15)
    return static_cast<std::int64_t>(rounded);
  return rounded;
}

template <class Values>
Json numbers(const Values& values, int digits = kDigits) {
  Json array = Json::array();
  for (double value : values) array.push_back(number(value, digits));
  return array;
}

/// Values far from 0 need more digits to be told apart.
int digits_of(const NumberTransform& transform) { return std::max(kDigits, transform.digits() - 2); }
int digits_of(const Feature& feature) {
  return feature.dates ? feature.digits() : digits_of(feature.transform);
}

class Writer {
 public:
  Writer(const Findings& found, const ReportOptions& options)
      : found_(found), options_(options), parts_(found.model.parts()), all_(found.forecasts) {}

  Json model() const {
    return {{"name", options_.model_name},         {"training_rows", parts_.training_rows},
            {"networks", parts_.weights.size()},   {"parameters", found_.model.parameters()},
            {"trees", parts_.forest.roots.size()}, {"calibrated", parts_.is_calibrated()},
            {"noisy", parts_.shape.noisy()}};
  }

  Json data() const {
    return {{"name", options_.data_name},
            {"rows", found_.data_rows},
            {"used", found_.row_numbers.size()},
            {"scored", found_.scored()}};
  }

  Json features() const {
    Json array = Json::array();
    for (const Feature& feature : parts_.encoder.features()) {
      Json one = {{"name", feature.name},
                  {"type", feature.type == ColumnType::kNumber ? "number" : "category"}};
      if (feature.type == ColumnType::kNumber) {
        const TrainingColumn training(feature.transform);
        one["low"] = number(training.low(), digits_of(feature));
        one["high"] = number(training.high(), digits_of(feature));
        one["spread"] = number(training.quantile(0.95) - training.quantile(0.05));
        if (feature.dates) one["dates"] = true;
      } else {
        one["levels"] = feature.levels.size();
      }
      array.push_back(std::move(one));
    }
    return array;
  }

  Json target(std::size_t t) const {
    const TargetFindings& target = found_.targets[t];
    const TrainingColumn training(parts_.transforms[t]);
    const int digits = digits_of(parts_.transforms[t]);
    Json one = {{"name", parts_.targets[t]},
                {"spread", number(training.quantile(0.95) - training.quantile(0.05))}};
    if (training.has_quantiles()) {
      one["low"] = number(training.low(), digits);
      one["high"] = number(training.high(), digits);
    }
    if (found_.scored()) {
      const TargetScores& scores = all_.scores.targets[t];
      one["scores"] = {{"mae", number(scores.mae)},           {"rmse", number(scores.rmse)},
                       {"crps", number(scores.crps.mean)},    {"nll", number(scores.nll.mean)},
                       {"skill", number(target.skill)},       {"explained", number(target.explained)},
                       {"bias", number(target.reliable.bias)}};
      one["promise"] = promise_word(t);
      one["references"] = {{"quantiles", reference(target.quantiles)}, {"mean", reference(target.mean)}};
      one["intervals"] = intervals(t);
      one["pit"] = {{"shares", numbers(target.reliable.pit)},
                    {"low", number(target.reliable.pit_band.low)},
                    {"high", number(target.reliable.pit_band.high)}};
      one["reliability"] = reliability_of(target.reliable);
      one["groups"] = {{"spread", numbers(target.reliable.spread)},
                       {"error", numbers(target.reliable.error)}};
      one["weak"] = weak(target);
    }
    one["best"] = picked(t, target.best);
    one["worst"] = picked(t, target.worst);
    if (found_.drivers.rows > 0) one["drivers"] = effects(t);
    return one;
  }

  /// A sample of rows for dots: columns of features, outcomes and medians.
  Json sample() const {
    const std::size_t features = parts_.encoder.features().size();
    const std::vector<std::size_t> rows =
        sampled_rows(all_.rows, std::min(kMostSample, kSampleCells / std::max<std::size_t>(1, features)),
                     options_.seed, 3);
    Json columns = Json::array(), outcomes = Json::array(), medians = Json::array();
    for (std::size_t f : found_.fan_features) {
      Json column = Json::array();
      for (std::size_t row : rows) column.push_back(cell(row, f));
      columns.push_back(std::move(column));
    }
    for (std::size_t t = 0; t < all_.targets; ++t) {
      const int digits = digits_of(parts_.transforms[t]);
      Json seen = Json::array(), median = Json::array();
      for (std::size_t row : rows) {
        if (found_.scored()) seen.push_back(number(all_.outcome(row, t), digits));
        median.push_back(number(all_.at(row, t).median, digits));
      }
      outcomes.push_back(std::move(seen));
      medians.push_back(std::move(median));
    }
    return {{"columns", columns}, {"outcomes", outcomes}, {"medians", medians}};
  }

  Json fans() const {
    Json array = Json::array();
    for (std::size_t i = 0; i < found_.fan_features.size(); ++i)
      array.push_back(fan(found_.fan_features[i], found_.fans[i]));
    return array;
  }

  /// Some rows with joint draws of all targets: well, middling and badly predicted.
  Json joint() const {
    std::vector<double> badness(all_.rows, 0.0);
    for (std::size_t row = 0; row < all_.rows; ++row)
      for (std::size_t t = 0; t < all_.targets; ++t) {
        const RowForecast& one = all_.at(row, t);
        const double scale =
            found_.scored() ? found_.targets[t].quantiles.crps : TrainingColumn(parts_.transforms[t]).sd();
        if (scale > 0) badness[row] += (found_.scored() ? one.crps : one.sd) / scale;
      }
    std::vector<std::size_t> order(all_.rows);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return badness[a] < badness[b]; });
    std::vector<std::size_t> rows;
    Json places = Json::array();
    for (double place : {0.5, 0.1, 0.9, 0.99, 1.0}) {
      const std::size_t row = order[static_cast<std::size_t>(place * static_cast<double>(all_.rows - 1))];
      if (std::find(rows.begin(), rows.end(), row) != rows.end()) continue;
      rows.push_back(row);
      places.push_back(place);
    }
    const Predictive draws = predict(rows);
    Json array = Json::array();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Json one = {{"row", found_.row_numbers[rows[i]]}, {"place", places[i]}, {"draws", Json::array()}};
      for (std::size_t t = 0; t < all_.targets; ++t)
        one["draws"].push_back(numbers(draws.draws(i, t), digits_of(parts_.transforms[t])));
      if (found_.scored())
        for (std::size_t t = 0; t < all_.targets; ++t)
          one["outcome"].push_back(number(all_.outcome(rows[i], t), digits_of(parts_.transforms[t])));
      array.push_back(std::move(one));
    }
    Json result = {{"rows", array}, {"correlation", numbers(all_.correlation, 3)}};
    if (found_.scored()) {
      result["observed_correlation"] = numbers(all_.observed_correlation, 3);
      result["energy_score"] = number(all_.scores.energy_score.mean);
    }
    return result;
  }

  Json history() const {
    Json array = Json::array();
    for (const NetworkHistory& member : parts_.history) {
      const std::size_t step = member.train.size() / kMostEpochs + 1;
      Json train = Json::array(), valid = Json::array();
      for (std::size_t epoch = 0; epoch < member.train.size(); epoch += step)
        train.push_back(number(member.train[epoch], 4));
      for (std::size_t epoch = 0; epoch < member.valid.size(); epoch += step)
        valid.push_back(number(member.valid[epoch], 4));
      array.push_back({{"epochs", member.train.size()},
                       {"step", step},
                       {"train", train},
                       {"valid", valid},
                       {"best", member.best_epoch},
                       {"refit", member.refit}});
    }
    return array;
  }

  Json drift() const {
    Json array = Json::array();
    for (std::size_t f = 0; f < found_.drift.size(); ++f) array.push_back(drift_of_feature(f));
    return array;
  }

 private:
  Predictive predict(const std::vector<std::size_t>& rows) const {
    return found_.model.predict(select_rows(found_.model, found_.table, rows),
                                {kShownDraws, options_.seed, options_.threads});
  }

  std::string promise_word(std::size_t t) const {
    switch (promise(found_, t)) {
      case Promise::kKept:
        return "kept";
      case Promise::kTooNarrow:
        return "narrow";
      case Promise::kTooWide:
        return "wide";
      case Promise::kExact:
        return "exact";
    }
    return {};
  }

  static Json reference(const Reference& one) {
    Json json = {{"mae", number(one.mae)}, {"rmse", number(one.rmse)}, {"crps", number(one.crps)}};
    if (!one.widths.empty()) {
      json["widths"] = numbers(one.widths);
      json["coverages"] = numbers(one.coverages);
    }
    return json;
  }

  Json intervals(std::size_t t) const {
    Json array = Json::array();
    for (const IntervalScore& one : all_.scores.targets[t].intervals) {
      const Band band = chance_band(all_.rows, one.level);
      array.push_back({{"level", one.level},
                       {"coverage", number(one.coverage)},
                       {"width", number(one.width)},
                       {"low", number(band.low)},
                       {"high", number(band.high)}});
    }
    return array;
  }

  static Json reliability_of(const Reliability& one) {
    Json low = Json::array(), high = Json::array();
    for (const Band& band : one.band) {
      low.push_back(number(band.low));
      high.push_back(number(band.high));
    }
    return {{"level", numbers(one.level)}, {"below", numbers(one.below)}, {"low", low}, {"high", high}};
  }

  static Json weak(const TargetFindings& target) {
    Json array = Json::array();
    for (const WeakSpot& spot : target.weak)
      array.push_back({{"feature", spot.feature},
                       {"words", spot.words},
                       {"rows", spot.rows},
                       {"error_ratio", number(spot.error_ratio, 3)},
                       {"width_ratio", number(spot.width_ratio, 3)},
                       {"coverage", number(spot.coverage)},
                       {"uncovered", spot.uncovered}});
    return array;
  }

  /// A number, a level or null for a gap.
  Json cell(std::size_t row, std::size_t f) const {
    const Feature& feature = parts_.encoder.features()[f];
    const std::size_t column = found_.table.column(feature.name);
    if (feature.type == ColumnType::kNumber)
      return number(found_.table.number(row, column), digits_of(feature));
    const std::int32_t code = found_.table.code(row, column);
    return code == Table::kMissing ? Json()
                                   : Json(found_.table.levels(column)[static_cast<std::size_t>(code)]);
  }

  Json picked(std::size_t t, const std::vector<std::size_t>& rows) const {
    Json array = Json::array();
    if (rows.empty()) return array;
    const int digits = digits_of(parts_.transforms[t]);
    const Predictive draws = predict(rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const RowForecast& row = all_.at(rows[i], t);
      Json one = {{"row", found_.row_numbers[rows[i]]},
                  {"median", number(row.median, digits)},
                  {"low", number(row.low, digits)},
                  {"high", number(row.high, digits)},
                  {"draws", numbers(draws.draws(i, t), digits)}};
      if (found_.scored()) {
        one["outcome"] = number(all_.outcome(rows[i], t), digits);
        one["crps"] = number(row.crps);
        one["pit"] = number(row.pit);
      }
      Json cells = Json::array();
      for (std::size_t f : found_.fan_features) cells.push_back(cell(rows[i], f));
      one["cells"] = std::move(cells);
      array.push_back(std::move(one));
    }
    return array;
  }

  Json effects(std::size_t t) const {
    Json mean = Json::array(), spread = Json::array();
    for (std::size_t f = 0; f < found_.drivers.features; ++f) {
      const auto one = [](const Drivers::Effect& effect) {
        return Json{{"size", number(effect.size, 4)}, {"direction", number(effect.direction, 3)}};
      };
      mean.push_back(one(found_.drivers.of_mean(t, f)));
      spread.push_back(one(found_.drivers.of_spread(t, f)));
    }
    return {{"mean", mean}, {"spread", spread}};
  }

  Json fan(std::size_t f, const Fan& fan) const {
    const Feature& feature = parts_.encoder.features()[f];
    const bool is_number = feature.type == ColumnType::kNumber;
    Json one = {{"feature", f}};
    if (is_number)
      one["values"] = numbers(fan.values, digits_of(feature));
    else
      one["levels"] = fan.levels;
    one["typical"] = Json::array();
    for (std::size_t t = 0; t < fan.quantiles.size(); ++t) {
      Json line = Json::array();
      for (const auto& quantiles : fan.quantiles[t])
        line.push_back(numbers(quantiles, digits_of(parts_.transforms[t])));
      one["typical"].push_back(std::move(line));
    }
    one["slices"] = Json::array();
    one["pooled"] = Json(std::vector<Json>(all_.targets, Json::array()));
    for (const Slice& slice : slices(found_.table, feature, is_number ? kFanSlices : kFanLevels)) {
      Json about = {{"rows", slice.rows.size()}};
      switch (slice.kind) {
        case Slice::Kind::kRange:
          about["low"] = number(slice.low, digits_of(feature));
          about["high"] = number(slice.high, digits_of(feature));
          about["middle"] = number(slice.middle, digits_of(feature));
          break;
        case Slice::Kind::kLevel:
          about["level"] = slice.level;
          break;
        case Slice::Kind::kOtherLevels:
          about["others"] = true;
          break;
        case Slice::Kind::kGap:
          about["gap"] = true;
          break;
      }
      one["slices"].push_back(std::move(about));
      for (std::size_t t = 0; t < all_.targets; ++t) {
        const Pooled together = pooled(all_, t, slice);
        Json both = {{"forecast", numbers(together.forecast, digits_of(parts_.transforms[t]))}};
        if (found_.scored()) both["outcome"] = numbers(together.outcome, digits_of(parts_.transforms[t]));
        one["pooled"][t].push_back(std::move(both));
      }
    }
    return one;
  }

  Json drift_of_feature(std::size_t f) const {
    const FeatureDrift& one = found_.drift[f];
    static constexpr const char* kVerdicts[] = {"same", "some", "large"};
    Json json = {{"name", one.name},
                 {"verdict", kVerdicts[static_cast<int>(one.verdict)]},
                 {"words", one.words},
                 {"gaps", one.gaps}};
    if (one.type == ColumnType::kCategory) {
      json["levels"] = one.training_levels;
      json["met"] = one.levels_met;
      json["unseen_rows"] = one.unseen_rows;
      json["unseen"] = std::vector<std::string>(
          one.unseen_levels.begin(),
          one.unseen_levels.begin() +
              static_cast<std::ptrdiff_t>(std::min(kShownUnseen, one.unseen_levels.size())));
      return json;
    }
    const int digits = digits_of(parts_.encoder.features()[f]);
    json["outside"] = one.outside();
    json["median"] = number(one.median, digits);
    json["training_median"] = number(one.training_median, digits);
    if (one.has_quantiles) {
      json["psi"] = number(one.psi, 3);
      json["ks"] = number(one.ks, 3);
      json["edges"] = numbers(one.edges, digits);
      json["expected"] = numbers(one.expected, 3);
      json["actual"] = numbers(one.actual, 3);
    } else {
      json["shift"] = number(one.shift, 3);
      json["spread_ratio"] = number(one.spread_ratio, 3);
    }
    return json;
  }

  const Findings& found_;
  const ReportOptions& options_;
  const Model::Parts& parts_;
  const Forecasts& all_;
};

}  // namespace

std::string report_json(const Findings& found, const Report& words, const ReportOptions& options) {
  const Writer writer(found, options);
  static constexpr const char* kWeights[] = {"note", "warn", "bad"};
  Json json = {{"title", options.title},  {"version", MIRRORBALL_VERSION},      {"model", writer.model()},
               {"data", writer.data()},   {"samples", found.forecasts.samples}, {"seed", options.seed},
               {"summary", words.summary}};
  json["warnings"] = Json::array();
  for (const Warning& one : words.warnings)
    json["warnings"].push_back({{"weight", kWeights[static_cast<int>(one.weight)]}, {"text", one.text}});
  json["features"] = writer.features();
  json["targets"] = Json::array();
  for (std::size_t t = 0; t < found.targets.size(); ++t) json["targets"].push_back(writer.target(t));
  json["sample"] = writer.sample();
  json["fans"] = writer.fans();
  if (found.targets.size() > 1) json["joint"] = writer.joint();
  json["history"] = writer.history();
  json["drift"] = writer.drift();
  json["drivers"] = {{"rows", found.drivers.rows},
                     {"background", found.drivers.background},
                     {"sets", found.drivers.sets},
                     {"exact", found.drivers.exact}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace mirrorball
