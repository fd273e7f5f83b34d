#include "score/calibration.h"

#include <algorithm>
#include <cmath>

#include "base/normal.h"
#include "base/random.h"
#include "score/calibration_words.h"
#include "score/chance.h"

namespace mirrorball {
namespace scoring {
namespace {

using Verdict = CalibrationCheck::Verdict;
using Shape = CalibrationCheck::Shape;

constexpr int kSteps = 100;  ///< levels 1/100 to 99/100
/// A Brownian bridge over its standard deviation leaves ±3.064 at one of 99 even levels in 5% of cases; this
/// is how often it does at a single one. The ECDF of uniform numbers is one for many rows, and for few rows
/// the binomial bands, being discrete, are a little wider.
constexpr double kOneLevel = 0.00218;
constexpr double kSmall = 0.03;  ///< an error of a probability that few decisions feel
constexpr double kSure = 3;      ///< standard errors that name a shape
/// A shape is named beside a larger one if it explains this share of it.
constexpr double kBeside = 0.25;
/// Probabilities that forecasts miss by at most: shifted by b deviations 0.4 b, scaled by s 0.24 |ln s|.
constexpr double kPerBias = 0.4, kPerLogSpread = 0.24;
/// With outcomes so far off, nearly all ranks are at the end, and their spread says nothing.
constexpr double kFarOff = 1;

void compare_levels(const std::vector<double>& sorted, CalibrationCheck& check) {
  const double n = static_cast<double>(sorted.size());
  for (int k = 1; k < kSteps; ++k) {
    const double level = k / double{kSteps};
    const auto below = std::upper_bound(sorted.begin(), sorted.end(), level) - sorted.begin();
    const double share = static_cast<double>(below) / n, off = std::fabs(share - level);
    const Band band = chance_band(sorted.size(), level, 1 - kOneLevel);
    check.levels.push_back(level);
    check.shares.push_back(share);
    check.low.push_back(band.low);
    check.high.push_back(band.high);
    if (!band.contains(share)) check.verdict = Verdict::kOff;
    if (off > check.largest) check.largest = off, check.largest_at = level;
  }
  if (check.verdict == Verdict::kOff && check.largest < kSmall) check.verdict = Verdict::kNearly;
}

void measure(const std::vector<double>& pit, CalibrationCheck& check) {
  const double n = static_cast<double>(pit.size());
  double sum = 0, square = 0;
  for (double u : pit) {
    const double z = normal_quantile(std::clamp(u, 1e-9, 1 - 1e-9));
    sum += z;
    square += z * z;
    check.below_median += (u < 0.5) / n;
  }
  check.bias = sum / n;
  check.spread = n > 1 ? std::sqrt(std::max(0.0, (square - sum * sum / n) / (n - 1))) : 1;
}

/// Whether outcomes are in the tails too often while the middle holds no fewer of them than it should, or the
/// other way round: then no single factor of the spread would do.
/// `width` is the logarithm of the spread where that is beyond chance, else 0.
std::vector<Shape> tails(const CalibrationCheck& check, double width) {
  const auto inside = [&](std::size_t low, std::size_t high) {
    return check.shares[high - 1] - check.shares[low - 1];
  };
  const double ninety = inside(5, 95), half = inside(25, 75);
  const Band band = chance_band(check.rows, 0.9, 1 - kOneLevel);
  if (half >= 0.5 && (ninety < band.low || width > 0)) return {Shape::kTailsTooLight};
  if (half <= 0.5 && (ninety > band.high || width < 0)) return {Shape::kTailsTooHeavy};
  return {};
}

std::vector<Shape> find_shapes(const CalibrationCheck& check) {
  const double n = static_cast<double>(check.rows), width = std::log(std::max(check.spread, 1e-6));
  const double moved = kPerBias * std::fabs(check.bias), scaled = kPerLogSpread * std::fabs(width);
  const bool far = std::fabs(check.bias) > kFarOff && width < 0;
  const bool biased = std::fabs(check.bias) > kSure / std::sqrt(n) && moved >= kBeside * scaled;
  const bool rescaled = !far && std::fabs(width) > kSure / std::sqrt(2 * n) && scaled >= kBeside * moved;
  if (!biased) {
    const std::vector<Shape> ends = tails(check, rescaled ? width : 0);
    if (!ends.empty()) return ends;
  }
  std::vector<Shape> shapes;
  if (biased) shapes.push_back(check.bias < 0 ? Shape::kTooHigh : Shape::kTooLow);
  if (rescaled) shapes.push_back(width > 0 ? Shape::kTooNarrow : Shape::kTooWide);
  if (shapes.size() == 2 && scaled > moved) std::swap(shapes[0], shapes[1]);
  if (shapes.empty()) shapes.push_back(Shape::kOther);
  return shapes;
}

std::size_t count_values(std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  return static_cast<std::size_t>(std::unique(values.begin(), values.end()) - values.begin());
}

}  // namespace

double tie_break(std::size_t row, std::size_t target) {
  return Stream(0, Purpose::kTies, static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(row >> 32),
                static_cast<std::uint32_t>(target))
      .uniform_double();
}

// Among M draws and y itself, all alike, y has any of M + 1 ranks with the same probability.
double sorted_random_pit(std::span<const double> sorted, double y, double v) {
  const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), y);
  return (static_cast<double>(first - sorted.begin()) + v * static_cast<double>(last - first + 1)) /
         static_cast<double>(sorted.size() + 1);
}

double sorted_mass(std::span<const double> sorted, double low, double high) {
  const auto first = std::lower_bound(sorted.begin(), sorted.end(), low);
  const auto last = std::upper_bound(first, sorted.end(), high);
  return static_cast<double>(last - first) / static_cast<double>(sorted.size());
}

CalibrationCheck check_calibration(CheckedRows rows) {
  CalibrationCheck check;
  check.rows = rows.pit.size();
  if (check.rows == 0) return check;
  check.values = count_values(rows.observed);
  check.ties = rows.ties;
  check.half = rows.half;
  check.ninety = rows.ninety;
  std::sort(rows.pit.begin(), rows.pit.end());
  compare_levels(rows.pit, check);
  measure(rows.pit, check);
  if (rows.points == check.rows)
    check.verdict = Verdict::kPoint;
  else if (check.verdict != Verdict::kCalibrated)
    check.shapes = find_shapes(check);
  check.words = calibration_words(check);
  return check;
}

}  // namespace scoring

const char* name_of(CalibrationCheck::Verdict verdict) {
  static constexpr const char* kNames[] = {"calibrated", "nearly", "off", "point"};
  return kNames[static_cast<int>(verdict)];
}

const char* name_of(CalibrationCheck::Shape shape) {
  static constexpr const char* kNames[] = {"too high",        "too low",         "too narrow", "too wide",
                                           "tails too light", "tails too heavy", "uneven"};
  return kNames[static_cast<int>(shape)];
}

}  // namespace mirrorball
