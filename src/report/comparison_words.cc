#include "report/comparison_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/number_text.h"

namespace mirrorball::report {
namespace {

constexpr double kSureDifference = 3;  ///< standard errors of a slice's difference; there are many slices
constexpr std::size_t kLeastSliceRows = 30;

/// The slice on which the other model wins by most, in words; empty where it wins on none for sure.
std::string counterexample(const Findings& found, std::size_t t, double sign) {
  const auto& slices = found.other->targets[t].slices;
  double most = kSureDifference;
  std::string words;
  for (std::size_t f = 0; f < slices.size(); ++f)
    for (std::size_t s = 0; s < slices[f].size(); ++s) {
      const SliceDifference& one = slices[f][s];
      const double sure = one.error > 0 ? -sign * one.difference / one.error : 0;
      if (one.rows < kLeastSliceRows || sure <= most) continue;
      most = sure;
      words = found.slices[f].slices[s].words(found.schema().features[found.slices[f].feature]);
    }
  return words;
}

}  // namespace

std::vector<std::string> comparison_words(const Findings& found, const ReportOptions& options) {
  std::vector<std::string> all;
  for (std::size_t t = 0; found.other && t < found.targets.size(); ++t) {
    const Paired& paired = found.other->targets[t].paired;
    const auto& [value, interval] = paired.difference;
    const bool first = value < 0;
    const double loser =
        std::max(found.targets[t].scores.crps.value, found.other->targets[t].scores.crps.value);
    const std::string &winner = first ? options.model_name : options.other_name,
                      &other = first ? options.other_name : options.model_name;
    const double width = interval.high - interval.low;
    const auto error = [&](double size) { return width > 0 ? estimate(size, 3 * width) : plain(size); };
    const std::string range = fmt::format("{} to {}", error(first ? -interval.high : interval.low),
                                          error(first ? -interval.low : interval.high));
    std::string text =
        paired.sure()
            ? fmt::format(
                  "{} predicts {} better: its CRPS is {} lower than that of {} ({}; 95% interval {}).",
                  winner, found.model.targets()[t], percent_change(std::fabs(value) / loser), other,
                  error(std::fabs(value)), range)
            : fmt::format(
                  "The two models predict {} about equally well: their CRPS differs by {}, within "
                  "sampling error (95% interval of the difference {} to {}).",
                  found.model.targets()[t], error(std::fabs(value)), error(interval.low),
                  error(interval.high));
    const double better = first ? paired.better : 1 - paired.better;
    text += fmt::format(" {} is better on {} of the rows.", winner, percent(better));
    if (const std::string where = paired.sure() ? counterexample(found, t, first ? -1 : 1) : "";
        !where.empty())
      text += fmt::format(" {} is better for rows with {}.", other, where);
    all.push_back(std::move(text));
  }
  return all;
}

}  // namespace mirrorball::report
