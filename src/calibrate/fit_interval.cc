#include "calibrate/fit_interval.h"

#include <algorithm>
#include <cmath>

#include "base/order_statistics.h"

namespace mirrorball::calibrate {
namespace {

constexpr double kCentral = 0.9;  ///< of the interval that is corrected
/// Draws that closed intervals hold beyond the 90% they are asked for, from which on values repeat: one atom
/// in a twentieth of the rows, as a cap has it, holds less.
constexpr double kRepeatedMass = 0.025;
constexpr double kLevelLow = 0.6, kLevelStep = 1.01;
constexpr std::size_t kLevelSteps = 352;  ///< up to a factor of 20

double weighted_mean(const HeldOut& rows, const std::vector<double>& values) {
  double sum = 0, weight = 0;
  for (std::size_t row = 0; row < values.size(); ++row) {
    sum += rows.weight[row] * values[row];
    weight += rows.weight[row];
  }
  return weight > 0 ? sum / weight : 0;
}

double level_factor(std::size_t step) { return kLevelLow * std::pow(kLevelStep, static_cast<double>(step)); }

/// What the central 90% intervals hold, as means over the rows by weight.
struct Coverage {
  double closed;   ///< share of the rows whose interval, ends included, has what came
  double by_rank;  ///< the same by the rank of what came: see `rank_inside`
  double mass;     ///< share of the draws in their own interval, ends included
};

/// The probability that the rank of an outcome is within the central 90% of the draws. Where it equals
/// several draws, its rank is anywhere among theirs. Of a calibrated forecast the mean is 90%, whatever
/// values repeat.
double rank_inside(std::span<const double> sorted, double y, bool closed) {
  const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), y);
  if (last - first < 2) return closed ? 1 : 0;
  const double n = static_cast<double>(sorted.size()), low = static_cast<double>(first - sorted.begin()) / n,
               high = static_cast<double>(last - sorted.begin()) / n;
  return std::max(0.0, std::min(high, (1 + kCentral) / 2) - std::max(low, (1 - kCentral) / 2)) / (high - low);
}

Coverage coverage(const HeldOut& rows, std::size_t samples, ThreadPool& pool,
                  const Calibration& calibration) {
  std::vector<double> closed(rows.rows), by_rank(rows.rows), mass(rows.rows);
  std::vector<CalibrationScratch> scratch(pool.size());
  each_row(rows.rows, pool, [&](std::size_t row, unsigned worker) {
    const std::vector<double> draws = pooled(rows, row, samples, calibration, scratch[worker]);
    const double low = sorted_quantile(draws, (1 - kCentral) / 2), y = rows.truth[row],
                 high = sorted_quantile(draws, (1 + kCentral) / 2);
    closed[row] = low <= y && y <= high;
    by_rank[row] = rank_inside(draws, y, low <= y && y <= high);
    const auto inside = std::upper_bound(draws.begin(), draws.end(), high) -
                        std::lower_bound(draws.begin(), draws.end(), low);
    mass[row] = static_cast<double>(inside) / static_cast<double>(draws.size());
  });
  return {weighted_mean(rows, closed), weighted_mean(rows, by_rank), weighted_mean(rows, mass)};
}

/// The least factor of the interval with which the share `of` the rows is what 90% of one more row would be.
double least_factor(const HeldOut& rows, std::size_t samples, double Coverage::*of, ThreadPool& pool,
                    Calibration calibration) {
  const double n = static_cast<double>(rows.rows), wanted = std::min(1.0, std::ceil(kCentral * (n + 1)) / n);
  // Coverage grows with the factor: halve the range of steps until the first that is enough is found.
  std::size_t low = 0, high = kLevelSteps;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    calibration.interval = level_factor(middle);
    if (coverage(rows, samples, pool, calibration).*of >= wanted - 1e-12) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return level_factor(low);
}

}  // namespace

bool values_repeat(const HeldOut& rows, std::size_t samples, ThreadPool& pool,
                   const Calibration& calibration) {
  return coverage(rows, samples, pool, calibration).mass > kCentral + kRepeatedMass;
}

void fit_interval(const HeldOut& rows, std::size_t samples, bool by_rank, ThreadPool& pool,
                  Calibration& calibration) {
  if (rows.rows == 0 || rows.network.count == 0) return;
  calibration.interval = least_factor(rows, samples, &Coverage::closed, pool, calibration);
  // Ranks only keep what is right from shrinking. Where many rows have one value, their share within the
  // interval hardly grows with it, and would ask for any width.
  if (by_rank && calibration.interval < 1)
    calibration.interval = std::min(1.0, least_factor(rows, samples, &Coverage::by_rank, pool, calibration));
}

}  // namespace mirrorball::calibrate
