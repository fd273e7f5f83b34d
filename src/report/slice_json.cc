#include "report/slice_json.h"

#include <unordered_map>

#include "report/feature_json.h"

namespace mirrorball::report {
namespace {

constexpr std::size_t kEvery = 5;  ///< levels of a slice's curve that are kept: each twentieth

Json check_of(const CalibrationCheck& check) {
  Json shares = Json::array(), low = Json::array(), high = Json::array();
  for (std::size_t k = kEvery - 1; k < check.levels.size(); k += kEvery) {
    shares.push_back(number(check.shares[k], 4));
    low.push_back(number(check.low[k], 4));
    high.push_back(number(check.high[k], 4));
  }
  return {{"verdict", name_of(check.verdict)},
          {"words", check.words},
          {"share", shares},
          {"low", low},
          {"high", high}};
}

Json slice_json(const Findings& found, std::size_t t, std::size_t shown, std::size_t s,
                const std::unordered_map<std::size_t, std::size_t>& place) {
  const TargetFindings& target = found.targets[t];
  const std::size_t f = target.shown_slices[shown];
  const ColumnSchema& feature = found.schema().features[f];
  const Slice& slice = found.slices[f].slices[s];
  const SliceScores& scores = target.slices[f][s];
  Json one = slice_place(feature, slice, slice.rows.size());
  one["words"] = slice.words(feature);
  one["crps"] = number(scores.crps);
  one["coverage"] = number(scores.coverage, 6);
  one["mass"] = number(scores.mass, 6);
  one["error_ratio"] = number(scores.error_ratio, 3);
  one["width_ratio"] = number(scores.width_ratio, 3);
  if (scores.uncovered) one["uncovered"] = true;
  if (scores.large_errors) one["large_errors"] = true;
  one["check"] = check_of(target.details[shown][s].check);
  one["worst"] = Json::array();
  for (std::size_t row : target.details[shown][s].worst) one["worst"].push_back(place.at(row));
  return one;
}

/// One list per target.
template <class Value>
Json by_target(const Findings& found, const Value& value) {
  Json all = Json::array();
  for (std::size_t t = 0; t < found.targets.size(); ++t) {
    Json list = Json::array();
    for (std::size_t row : found.sample_rows)
      list.push_back(value(row, t, digits_of(found.schema().targets[t])));
    all.push_back(std::move(list));
  }
  return all;
}

}  // namespace

Json slice_place(const ColumnSchema& feature, const Slice& slice, std::size_t rows) {
  Json about = {{"rows", rows}};
  switch (slice.kind) {
    case Slice::Kind::kRange:
      about["low"] = number(slice.low, digits_of(feature));
      about["high"] = number(slice.high, digits_of(feature));
      about["middle"] = number(slice.middle, digits_of(feature));
      break;
    case Slice::Kind::kCategory:
      about["category"] = slice.category;
      break;
    case Slice::Kind::kOtherCategories:
      about["others"] = true;
      break;
    case Slice::Kind::kMissing:
      about["missing"] = true;
      break;
  }
  return about;
}

Json slices_json(const Findings& found, std::size_t t) {
  std::unordered_map<std::size_t, std::size_t> place;
  for (std::size_t i = 0; i < found.sample_rows.size(); ++i) place.emplace(found.sample_rows[i], i);
  const TargetFindings& target = found.targets[t];
  Json array = Json::array();
  for (std::size_t shown = 0; shown < target.shown_slices.size(); ++shown) {
    const std::size_t f = target.shown_slices[shown];
    Json own = Json::array();
    for (std::size_t s = 0; s < found.slices[f].slices.size(); ++s)
      own.push_back(slice_json(found, t, shown, s, place));
    array.push_back({{"feature", f}, {"slices", std::move(own)}});
  }
  return array;
}

Json slice_differences_json(const Findings& found, std::size_t t) {
  Json array = Json::array();
  for (std::size_t f : found.targets[t].shown_slices) {
    Json own = Json::array();
    for (const SliceDifference& one : found.other->targets[t].slices[f])
      own.push_back(
          {{"rows", one.rows}, {"difference", number(one.difference)}, {"error", number(one.error)}});
    array.push_back(std::move(own));
  }
  return array;
}

Json sample_json(const Findings& found) {
  const Forecasts& all = found.forecasts;
  Json rows = Json::array(), columns = Json::array();
  for (std::size_t row : found.sample_rows) rows.push_back(found.data.row_numbers[row]);
  for (std::size_t f : found.fan_features) {
    Json column = Json::array();
    for (std::size_t row : found.sample_rows) column.push_back(cell(found, row, f));
    columns.push_back(std::move(column));
  }
  Json sample = {{"dots", found.dots}, {"rows", rows}, {"columns", columns}};
  const auto of = [&](double RowForecast::*member) {
    return [&all, member](std::size_t row, std::size_t t, int digits) {
      return number(all.at(row, t).*member, digits);
    };
  };
  sample["medians"] = by_target(found, of(&RowForecast::median));
  sample["low"] = by_target(found, of(&RowForecast::low));
  sample["high"] = by_target(found, of(&RowForecast::high));
  sample["points"] = by_target(found, [&](std::size_t row, std::size_t t, int digits) {
    return numbers(all.at(row, t).points, digits);
  });
  if (!found.scored()) return sample;
  sample["outcomes"] = by_target(
      found, [&](std::size_t row, std::size_t t, int digits) { return number(all.outcome(row, t), digits); });
  sample["crps"] =
      by_target(found, [&](std::size_t row, std::size_t t, int) { return number(all.at(row, t).crps, 3); });
  sample["pit"] =
      by_target(found, [&](std::size_t row, std::size_t t, int) { return number(all.at(row, t).pit, 3); });
  return sample;
}

}  // namespace mirrorball::report
