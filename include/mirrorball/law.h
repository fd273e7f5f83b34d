#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mirrorball/table.h"

namespace mirrorball {

/// Jensen-Shannon distance (base 2), Hellinger, Wasserstein-1 and energy distance (square-root form, as
/// scipy).
struct Distances {
  double jsd = 0, hellinger = 0, wasserstein = 0, energy = 0;
};

/// Distances between two samples of one or two targets, laid out as joint samples. Wasserstein (for two
/// targets the mean over 32 directions) and energy distance are those of the samples, as scipy's.
/// Jensen-Shannon and Hellinger are taken on `cells` equal cells of each target over the range of both
/// samples.
Distances sample_distances(std::span<const double> a, std::span<const double> b, std::size_t targets,
                           std::size_t cells);

/// A known distribution p(y | x) of one input x: it makes data, and a fit is compared with it.
class Law {
 public:
  virtual ~Law() = default;

  /// "unimodal", "crossing", "squares" or "arcs"; anything else throws with the list.
  static const Law& named(std::string_view name);
  static const std::vector<std::string>& names();

  virtual std::string name() const = 0;
  virtual std::vector<std::string> target_names() const = 0;  ///< "y", or "y1" and "y2"
  virtual std::size_t default_rows() const = 0;               ///< as in the paper
  virtual double low() const = 0;                             ///< x runs over [low, high]
  virtual double high() const = 0;

  /// `count` equidistant x from low to high, without those where the distribution is not defined.
  virtual std::vector<double> positions(std::size_t count) const = 0;

  /// A table with column x and the targets. The same seed gives the same table, except for last digits where
  /// math libraries differ.
  virtual Table data(std::size_t rows, std::uint64_t seed) const = 0;

  virtual double density(double x, std::span<const double> y) const = 0;
  /// P(Y <= y | x), componentwise for two targets.
  virtual double cdf(double x, std::span<const double> y) const = 0;

  /// `count` independent joint samples at each x: x.size() × count × targets, the last index fastest.
  virtual std::vector<double> sample(std::span<const double> x, std::size_t count,
                                     std::uint64_t seed) const = 0;

  /// Distances between the distribution at x and samples (M joint samples of one value per target).
  /// docs/method.md has the cells of Jensen-Shannon and Hellinger, and Wasserstein for two targets.
  virtual Distances distances(double x, std::span<const double> samples) const = 0;
};

}  // namespace mirrorball
