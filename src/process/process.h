#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "base/watch.h"
#include "encode/transform.h"
#include "process/kernel.h"

namespace mirrorball::process {

/// The units in which the target is smooth: those of its transform, which take a skew away, or its own.
struct Scale {
  bool own = false;               ///< the target's own units
  double center = 0, spread = 1;  ///< z = (value - center) / spread, value in these units

  /// A value z in the transformed units of the networks.
  double transformed(double z, const encode::NumberTransform& transform) const {
    return own ? transform.forward(center + spread * z) : center + spread * z;
  }
};

/// A Gaussian process (Rasmussen and Williams 2006) that has seen some rows. The forecast of a row is
///
///   m + s e,   m = k' a,   s^2 = k(x, x) + n^2 - |R k|^2
///
/// with k the covariances of the row with those seen, a = C^-1 z, R' R = C^-1 (C the covariance of the
/// observations), and e distributed as what standardised errors of held-out rows were: nothing is normal but
/// the arithmetic.
struct GaussianProcess {
  /// What a thread needs to ask for quantiles; grows to its size by itself.
  struct Scratch {
    std::vector<double> numbers, covariances;
    std::vector<float> narrow;
  };

  Kernel kernel;
  Points points;
  std::vector<double> factors;  ///< a
  std::vector<float> root;      ///< R, lower triangle, row by row
  std::vector<double> errors;   ///< e: quantiles at equal steps of probability, from least to greatest
  Scale scale;

  bool empty() const { return factors.empty(); }

  /// Writes the quantiles at levels (k + 1/2) / K, k = 0 .. K - 1, in transformed units.
  void quantiles(std::span<const float> numbers, std::span<const std::int32_t> codes,
                 const encode::NumberTransform& transform, std::span<float> out, Scratch& scratch) const;

  /// The quantiles of a forecast m + s e.
  void write_quantiles(double m, double s, const encode::NumberTransform& transform,
                       std::span<float> out) const;

  /// Throws unless any row with so many numbers and codes has quantiles: for arrays that come from a file.
  void check(std::size_t numbers, std::size_t codes) const;
};

/// A process with forecasts of the rows it has seen, each as if it had not.
struct FittedProcess {
  GaussianProcess process;
  std::vector<rows::RowNumber> rows;  ///< seen, ascending
  std::vector<double> mean, sd;       ///< m and s of each, by the others

  /// The quantiles of a row that may be one of those seen.
  void held_out_quantiles(const rows::EncodedRows& all, rows::RowNumber row,
                          const encode::NumberTransform& transform, std::span<float> out,
                          GaussianProcess::Scratch& scratch) const;
};

/// What a process is fitted to: rows, and their target in transformed and in its own units, with weights, all
/// by the row's number.
struct Task {
  const rows::EncodedRows& rows;
  std::span<const float> transformed;
  std::span<const double> observed;
  std::span<const float> weights;
  const encode::NumberTransform& transform;
};

/// Fits to the rows `which` (ascending) that have a weight above 0. None where these are fewer than a process
/// can learn from, or time is over before there is one; `seconds` 0 is no limit, and there may be no watch.
std::optional<FittedProcess> fit_process(const Task& task, std::span<const rows::RowNumber> which,
                                         double seconds, std::uint64_t seed, ThreadPool& pool,
                                         Watch* watch = nullptr);

}  // namespace mirrorball::process
