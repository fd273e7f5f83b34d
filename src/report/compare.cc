#include "report/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/grouped.h"
#include "base/wrapped.h"
#include "report/comparison_words.h"
#include "report/number_text.h"
#include "report/read_findings.h"
#include "report/target_json.h"

namespace mirrorball::report {
namespace {

constexpr std::size_t kNameWidth = 24, kShownPlaces = 5, kLeastPlaceRows = 30;

/// Names that are too long for a column keep their end, which tells models apart.
std::string shortened(const std::string& name) {
  return name.size() <= kNameWidth ? name : "…" + name.substr(name.size() - kNameWidth + 2);
}

std::string line(const std::string& name, const std::string& a, const std::string& b) {
  return fmt::format("  {:<20}{:>26}{:>26}\n", name, a, b);
}

/// Four digits of the value, and as many decimals of the ends. `range` is that of the target's errors: below
/// its third digit, large numbers are chance.
std::string with_interval(const Measured& one, double range) {
  const double size = one.value != 0 ? std::fabs(one.value) : range > 0 ? range : 1;
  const int decimals = std::clamp(3 - static_cast<int>(std::floor(std::log10(size))), 0, 12);
  const auto text = [&](double value) {
    return range > 1000 ? estimate(value, range) : with_minus(fmt::format("{:.{}f}", value, decimals));
  };
  return fmt::format("{} ({} to {})", text(one.value), text(one.interval.low), text(one.interval.high));
}

std::string with_shares(const Measured& one) {
  return fmt::format("{:.1f}% ({:.1f}% to {:.1f}%)", 100 * one.value, 100 * one.interval.low,
                     100 * one.interval.high);
}

/// A part of the rows and who is better there.
struct Place {
  std::string words;
  SliceDifference difference;
  double sure = 0;
};

std::vector<Place> places(const Findings& found, std::size_t t) {
  std::vector<Place> all;
  const auto& slices = found.other->targets[t].slices;
  for (std::size_t f = 0; f < slices.size(); ++f)
    for (std::size_t s = 0; s < slices[f].size(); ++s) {
      const SliceDifference& one = slices[f][s];
      if (one.rows < kLeastPlaceRows || !(one.error > 0)) continue;
      all.push_back(
          {found.slices[f].slices[s].words(found.schema().features[f]), one, one.difference / one.error});
    }
  std::stable_sort(all.begin(), all.end(), [](const Place& a, const Place& b) { return a.sure < b.sure; });
  return all;
}

std::string place_lines(const std::vector<Place>& all, const ColumnSchema& target, const std::string& name,
                        bool first) {
  // A difference is small beside the errors: one more digit, and as many decimals in all lines.
  const auto error = [&](double size) { return estimate(size, error_range(target) / 10); };
  std::string text;
  for (std::size_t i = 0; i < std::min(kShownPlaces, all.size()); ++i) {
    const Place& one = first ? all[i] : all[all.size() - 1 - i];
    if (first ? one.sure > -2 : one.sure < 2) break;
    if (text.empty()) text = fmt::format("  {} is better for rows with\n", name);
    text += fmt::format("    {}: CRPS {} lower, {}\n", one.words, error(std::fabs(one.difference.difference)),
                        counted_rows(one.difference.rows));
  }
  return text;
}

std::string target_text(const Findings& found, std::size_t t, const std::string& words,
                        const ReportOptions& options) {
  const MeasuredScores &a = found.targets[t].scores, &b = found.other->targets[t].scores;
  const Paired& paired = found.other->targets[t].paired;
  const ColumnSchema& target = found.schema().targets[t];
  const double range = error_range(target);
  const auto with_range = [range](const Measured& one) { return with_interval(one, range); };
  std::string text = fmt::format("\n{}\n", found.model.targets()[t]);
  text += line("", shortened(options.model_name), shortened(options.other_name));
  text += line("CRPS", with_range(a.crps), with_range(b.crps));
  text += line("MAE of median", with_range(a.mae), with_range(b.mae));
  text += line("RMSE of mean", with_range(a.rmse), with_range(b.rmse));
  text += line("90% interval covers", with_shares(a.coverage), with_shares(b.coverage));
  text += line("90% interval width", with_range(a.width), with_range(b.width));
  text += line("Better rows", fmt::format("{:.1f}%", 100 * paired.better),
               fmt::format("{:.1f}%", 100 - 100 * paired.better));
  text += wrapped_after("  ",
                        fmt::format("CRPS of {} minus that of {}: {}", options.model_name, options.other_name,
                                    with_range(paired.difference)),
                        options.width);
  text += "\n" + wrapped_after("  ", words, options.width);
  const std::vector<Place> all = places(found, t);
  text += place_lines(all, target, options.model_name, true) +
          place_lines(all, target, options.other_name, false);
  const std::size_t longer = std::max(options.model_name.size(), options.other_name.size()) + 1;
  const auto verdict = [&](const std::string& name, const Forecasts& forecasts) {
    return wrapped_after(fmt::format("  {:<{}} ", name + ":", longer),
                         forecasts.scores.targets[t].calibration.words, options.width);
  };
  text += verdict(options.model_name, found.forecasts);
  text += verdict(options.other_name, found.other->forecasts);
  return text;
}

Json compared_json(const Findings& found, std::size_t t, const std::string& words) {
  const OtherModel::Target& other = found.other->targets[t];
  Json slices = Json::array();
  for (const Place& one : places(found, t))
    slices.push_back({{"rows_with", one.words},
                      {"rows", one.difference.rows},
                      {"difference", one.difference.difference},
                      {"error", one.difference.error}});
  return {{"words", words},
          {"first", scores_json(found.targets[t].scores, true)},
          {"second", scores_json(other.scores, true)},
          {"crps", paired_json(other.paired)},
          {"calibration",
           {{"first", found.forecasts.scores.targets[t].calibration.words},
            {"second", found.other->forecasts.scores.targets[t].calibration.words}}},
          {"slices", slices}};
}

}  // namespace

Compared compare(const Model& first, const Model& second, TableSource& source, const ReportOptions& options) {
  ReportOptions brief = options;
  brief.brief = true;
  const Findings found = find_in(first, &second, source, brief);
  const std::vector<std::string> words = comparison_words(found, options);
  Compared result;
  result.text = fmt::format("{}, {} samples each; 95% intervals in brackets\n",
                            counted_rows(found.forecasts.rows), grouped(found.forecasts.samples));
  Json json = {{"first", options.model_name},
               {"second", options.other_name},
               {"rows", found.forecasts.rows},
               {"samples", found.forecasts.samples},
               {"targets", Json::object()}};
  for (std::size_t t = 0; t < found.targets.size(); ++t) {
    result.text += target_text(found, t, words[t], options);
    json["targets"][first.targets()[t]] = compared_json(found, t, words[t]);
  }
  result.json = json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  return result;
}

}  // namespace mirrorball::report
