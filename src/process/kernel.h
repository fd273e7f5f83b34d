#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rows/encoded_rows.h"

namespace mirrorball::process {

/// Some rows as points: numbers with one column each, and codes row by row.
struct Points {
  Eigen::MatrixXd numbers;
  std::vector<std::int32_t> codes;
  std::size_t code_columns = 0;

  std::size_t count() const { return static_cast<std::size_t>(numbers.rows()); }
  std::size_t features() const { return static_cast<std::size_t>(numbers.cols()) + code_columns; }
  std::span<const std::int32_t> codes_of(std::size_t point) const {
    return {codes.data() + point * code_columns, code_columns};
  }
  /// The points of these places, in their order.
  Points chosen(std::span<const std::size_t> places) const;

  static Points of(const rows::EncodedRows& rows, std::span<const rows::RowNumber> which);
};

/// Covariance of the values at two points x and x' with d features, a smooth and a linear part:
///
///   k(x, x') = s^2 (1 + t + t^2 / 3) exp(-t) + c^2 sum_j x_j x'_j / d      t = sqrt(5) r (Matern 5/2)
///   r^2 = sum_j ((x_j - x'_j) / l_j)^2 over numbers + sum_j [x_j != x'_j] / l_j^2 over codes
///
/// and an observation of weight w adds the noise n^2 / w. Each feature has a length l_j of its own, so that
/// one that says nothing is passed over.
struct Kernel {
  std::vector<double> log_length;  ///< of the numbers, then of the codes
  double log_signal = 0;           ///< log s
  double log_slope = 0;            ///< log c
  double log_noise = 0;            ///< log n

  /// The most likely kernel before anything is known, for targets of about unit spread.
  static Kernel usual(std::size_t features);

  std::size_t size() const { return log_length.size() + 3; }
  double noise() const;
  /// Lengths, signal, slope, noise.
  std::vector<double> parameters() const;
  static Kernel of(std::span<const double> parameters);
  /// The middle of two in every parameter.
  static Kernel between(const Kernel& a, const Kernel& b);

  /// k(x, x), which depends on x by its linear part.
  double variance(std::span<const double> numbers) const;
};

/// The smooth part, the linear part, and w with dk / dlog l_j = w (distance_j / l_j)^2.
struct Covariance {
  Eigen::MatrixXd smooth, linear, slope;

  Covariance(const Kernel& kernel, const Points& points);
};

/// k of one point with each of `points`.
void covariance_with(const Kernel& kernel, const Points& points, std::span<const double> numbers,
                     std::span<const std::int32_t> codes, std::span<double> out);

}  // namespace mirrorball::process
