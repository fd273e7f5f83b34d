#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "mirrorball/region.h"

namespace mirrorball {

/// Samples per row behind a summary that a user reads: means, quantiles, intervals, an explanation.
inline constexpr std::size_t kSummarySamples = 1000;
/// Samples per row where many rows are summarised together: scores, a report.
inline constexpr std::size_t kScoreSamples = 500;

/// Draws from p(y | x) for some rows, and what draws answer. They may come from any source.
/// Layout: for each row, for each target, `samples` draws in one run; draw i of all targets is one joint
/// draw.
class Predictive {
 public:
  Predictive() = default;
  Predictive(std::size_t rows, std::size_t samples, std::vector<std::string> targets);

  std::size_t rows() const { return rows_; }
  std::size_t samples() const { return samples_; }
  std::size_t targets() const { return targets_.size(); }
  const std::vector<std::string>& target_names() const { return targets_; }

  std::span<double> draws(std::size_t row, std::size_t target = 0);
  std::span<const double> draws(std::size_t row, std::size_t target = 0) const;
  /// The draws of all targets as joint draws, one value per target after the other: samples x targets.
  std::vector<double> joint_draws(std::size_t row) const;

  double mean(std::size_t row, std::size_t target = 0) const;
  /// Standard deviation with samples - 1 below the line; 0 for a single draw.
  double sd(std::size_t row, std::size_t target = 0) const;
  /// Quantiles by linear interpolation between order statistics (numpy's default). 0 <= levels <= 1.
  double quantile(double level, std::size_t row, std::size_t target = 0) const;
  std::vector<double> quantiles(std::span<const double> levels, std::size_t row,
                                std::size_t target = 0) const;
  /// The central interval of the given coverage, (1-c)/2 to (1+c)/2.
  std::pair<double, double> interval(double coverage, std::size_t row, std::size_t target = 0) const;
  /// Share of draws at or below y.
  double cdf(double y, std::size_t row, std::size_t target = 0) const;
  /// Gaussian kernel density estimate with Scott's factor, as scipy's gaussian_kde.
  double density(double y, std::size_t row, std::size_t target = 0) const;
  /// Share of joint draws for which `inside` holds; it gets one value per target.
  double probability(std::size_t row, const std::function<bool(std::span<const double>)>& inside) const;
  /// Share of joint draws in a region of these targets.
  double probability(std::size_t row, const Region& region) const;

 private:
  std::size_t rows_ = 0, samples_ = 0;
  std::vector<std::string> targets_;
  std::vector<double> values_;
};

}  // namespace mirrorball
