#include "score/calibration_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/grouped.h"

namespace mirrorball::scoring {
namespace {

using Verdict = CalibrationCheck::Verdict;
using Shape = CalibrationCheck::Shape;

/// Bands so wide hide errors that would matter.
constexpr double kBlind = 0.1;
/// Samples that equal the outcome, on average: fewer are the rounding of the data.
constexpr double kManyTies = 0.01;

std::string points(double share) { return fmt::format("{:.1f}", 100 * share); }

/// "the 90% intervals cover 88.8% of the outcomes": with what to expect, which ties make larger.
std::string covers(const IntervalScore& one) {
  return fmt::format("the {:.0f}% intervals cover {}% of the outcomes (expected: {}%)", 100 * one.level,
                     points(one.coverage), points(one.mass));
}

/// Of the 50% and the 90% intervals those that show best that forecasts are too wide, or too narrow: with a
/// spread that is wrong in the middle alone, the other ones may cover what they should.
const IntervalScore& telling(const CalibrationCheck& check, bool wide) {
  const auto excess = [wide](const IntervalScore& one) {
    const double off = wide ? one.coverage - one.mass : one.mass - one.coverage;
    return off / std::sqrt(std::max(1e-4, one.mass * (1 - one.mass)));
  };
  return excess(check.half) > excess(check.ninety) ? check.half : check.ninety;
}

/// The share of outcomes on the wrong side of the median; where the median does not show the bias, because
/// few outcomes far away make it, how far all lie away on average.
std::string bias_words(const CalibrationCheck& check) {
  const bool high = check.bias < 0;
  const double beyond = high ? check.below_median : 1 - check.below_median;
  const std::string begin = fmt::format("forecasts are too {}, ", high ? "high" : "low");
  if (beyond > 0.5)
    return begin +
           fmt::format("{}% of the outcomes lie {} the median", points(beyond), high ? "below" : "above");
  return begin + fmt::format("outcomes lie {:.2f} standard deviations {} them on average",
                             std::fabs(check.bias), high ? "below" : "above");
}

/// The level whose share lies farthest outside its band; the largest difference may lie inside one.
std::size_t most_outside(const CalibrationCheck& check) {
  const auto outside = [&](std::size_t k) {
    return std::max(check.shares[k] - check.high[k], check.low[k] - check.shares[k]);
  };
  std::size_t most = 0;
  for (std::size_t k = 1; k < check.levels.size(); ++k)
    if (outside(k) > outside(most)) most = k;
  return most;
}

/// What is wrong, and the number that shows it; just the number where a title has named it.
std::string about(Shape shape, const CalibrationCheck& check) {
  const bool titled = check.verdict == Verdict::kOff;
  switch (shape) {
    case Shape::kTooHigh:
    case Shape::kTooLow:
      return bias_words(check);
    case Shape::kTooNarrow:
      return (titled ? "" : "forecasts are too narrow, ") + covers(telling(check, false));
    case Shape::kTooWide:
      return (titled ? "" : "forecasts are too wide, ") + covers(telling(check, true));
    case Shape::kTailsTooLight:
      return "outcomes are in the tails too often, " + covers(check.ninety);
    case Shape::kTailsTooHeavy:
      return "outcomes are in the tails too rarely, " + covers(check.ninety);
    case Shape::kOther: {
      const std::size_t at = most_outside(check);
      const bool largest = std::fabs(check.levels[at] - check.largest_at) < 1e-9;
      return fmt::format("{}% of the outcomes lie below the {:.0f}% quantile{}", points(check.shares[at]),
                         100 * check.levels[at],
                         largest ? "" : ", the difference that chance explains least");
    }
  }
  return {};
}

std::string what_is_wrong(const CalibrationCheck& check) {
  std::string text;
  for (const Shape shape : check.shapes) text += (text.empty() ? "" : "; ") + about(shape, check);
  return text;
}

std::string judged(const CalibrationCheck& check) {
  const std::string off = points(check.largest);
  switch (check.verdict) {
    case Verdict::kPoint:
      return "Every forecast is a single number: there is no distribution to check.";
    case Verdict::kCalibrated:
      return fmt::format(
          "Calibrated: predicted probabilities and observed frequencies differ by at most {} percentage "
          "points, which sampling error explains.",
          off);
    case Verdict::kNearly:
      return fmt::format(
          "Nearly calibrated: predicted probabilities and observed frequencies differ by at most {} "
          "percentage points, more than sampling error explains; {}.",
          off, what_is_wrong(check));
    case Verdict::kOff:
      break;
  }
  return fmt::format(
      "{}: predicted probabilities and observed frequencies differ by up to {} percentage points; {}.",
      shape_title(check), off, what_is_wrong(check));
}

}  // namespace

std::string calibration_evidence(const CalibrationCheck& check) {
  return check.shapes.empty() ? covers(check.ninety) : about(check.shapes.front(), check);
}

std::string shape_title(const CalibrationCheck& check) {
  std::string title;
  for (const Shape shape : check.shapes) {
    const bool biased = shape == Shape::kTooHigh || shape == Shape::kTooLow;
    const std::string word = biased ? "biased" : shape == Shape::kOther ? "miscalibrated" : name_of(shape);
    title += (title.empty() ? "" : " and ") + word;
  }
  if (!title.empty()) title[0] = static_cast<char>(title[0] - 'a' + 'A');
  return title;
}

std::string calibration_words(const CalibrationCheck& check) {
  std::string text = judged(check);
  if (check.verdict == Verdict::kPoint) return text;
  double widest = 0;
  for (std::size_t k = 0; k < check.levels.size(); ++k)
    widest = std::max({widest, check.high[k] - check.levels[k], check.levels[k] - check.low[k]});
  if (check.verdict == Verdict::kCalibrated && widest > kBlind)
    text += fmt::format(" With {} rows, differences of up to {:.0f} points cannot be detected.",
                        grouped(check.rows), 100 * widest);
  if (check.ties > kManyTies)
    text += fmt::format(" The outcomes take {} different values; ties are split at random.",
                        grouped(check.values));
  return text;
}

}  // namespace mirrorball::scoring
