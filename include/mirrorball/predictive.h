#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "mirrorball/atoms.h"
#include "mirrorball/density.h"
#include "mirrorball/region.h"
#include "mirrorball/uncertainty.h"

namespace mirrorball {

/// Samples per row behind what a user reads: means, quantiles, intervals, scores, a report, an explanation.
/// One number, so that all of them say the same of a row.
inline constexpr std::size_t kSummarySamples = 1000;

/// Samples of p(y | x) for some rows, from any source, and statistics of them.
/// Layout: for each row, for each target, its `samples` values in one run; value i of all targets is one
/// joint sample.
class Predictive {
 public:
  Predictive() = default;
  Predictive(std::size_t rows, std::size_t samples, std::vector<std::string> targets);

  std::size_t rows() const { return rows_; }
  std::size_t samples() const { return samples_; }
  std::size_t targets() const { return targets_.size(); }
  const std::vector<std::string>& target_names() const { return targets_; }
  /// The range that samples of a target can have. A model sets it; infinite for samples from elsewhere.
  const Limits& limits(std::size_t target = 0) const;
  void set_limits(std::size_t target, Limits limits);
  /// The values of a target that are probability masses. A model sets them; none for samples from elsewhere.
  const Atoms& atoms(std::size_t target = 0) const;
  void set_atoms(std::size_t target, Atoms atoms);
  /// Where each sample comes from, in every row and for every target: equal numbers mean the same network. A
  /// model sets it: networks from 0 on, then the forest, the Gaussian process, the neighbours; empty for
  /// samples from elsewhere.
  std::span<const std::uint32_t> sources() const { return sources_; }
  /// One number for each sample, below 65,536.
  void set_sources(std::vector<std::uint32_t> sources);

  std::span<double> row_samples(std::size_t row, std::size_t target = 0);
  std::span<const double> row_samples(std::size_t row, std::size_t target = 0) const;
  /// The samples of all targets as joint samples, one value per target after the other: samples x targets.
  std::vector<double> joint_samples(std::size_t row) const;

  double mean(std::size_t row, std::size_t target = 0) const;
  /// Standard deviation with samples - 1 in the denominator; 0 for a single sample.
  double sd(std::size_t row, std::size_t target = 0) const;
  /// Quantiles by linear interpolation between order statistics (numpy's default). 0 <= levels <= 1.
  double quantile(double level, std::size_t row, std::size_t target = 0) const;
  std::vector<double> quantiles(std::span<const double> levels, std::size_t row,
                                std::size_t target = 0) const;
  /// The central interval of the given coverage, (1-c)/2 to (1+c)/2.
  std::pair<double, double> interval(double coverage, std::size_t row, std::size_t target = 0) const;
  /// How uncertain the forecast is, split into what the sources expect and what they disagree about. Needs
  /// the sources.
  Uncertainty uncertainty(std::size_t row, std::size_t target = 0) const;
  /// Fraction of the samples at or below y.
  double cdf(double y, std::size_t row, std::size_t target = 0) const;
  /// Gaussian kernel density estimate with Scott's factor, as scipy's gaussian_kde: the density of the NLL.
  /// It ignores the limits of the target.
  double density(double y, std::size_t row, std::size_t target = 0) const;
  /// The density as it is drawn: within the target's limits, with repeated values as spikes.
  Density shape(std::size_t row, std::size_t target = 0) const;
  /// Fraction of the joint samples for which `inside` is true; it gets one value per target.
  double probability(std::size_t row, const std::function<bool(std::span<const double>)>& inside) const;
  /// Fraction of the joint samples in a region of these targets.
  double probability(std::size_t row, const Region& region) const;

 private:
  std::size_t rows_ = 0, samples_ = 0;
  std::vector<std::string> targets_;
  std::vector<Limits> limits_;          ///< one per target
  std::vector<Atoms> atoms_;            ///< likewise
  std::vector<std::uint32_t> sources_;  ///< one per sample, or none
  std::vector<double> values_;
};

}  // namespace mirrorball
