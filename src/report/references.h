#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "report/row_errors.h"
#include "report/training_column.h"
#include "rows/encoded_rows.h"

namespace mirrorball::report {

/// A simple forecast to compare a model with.
struct Reference {
  std::string name;
  RowErrors rows;
  double mae = 0, rmse = 0, crps = 0;
  std::vector<double> widths = {}, coverages = {};  ///< of central intervals; none of a single number

  /// Fills the means from the rows.
  void finish();
};

/// The distribution of the target over the training rows, by its quantiles.
Reference training_quantiles(const TrainingColumn& training, std::span<const double> observed,
                             std::span<const double> coverages);

/// The training mean as a single number. Its CRPS is its mean absolute error.
Reference training_mean(const TrainingColumn& training, std::span<const double> observed);

/// Fewer rows are too few to fit a reference to.
inline constexpr std::size_t kFewestFitted = 50;

/// Linear regression with normal errors of one size, fitted to these rows; each row is predicted from all
/// others (leave-one-out).
Reference linear_reference(const rows::EncodedRows& rows, std::span<const double> observed,
                           std::span<const double> coverages, ThreadPool& pool);

/// A quantile regression forest of these rows; each row is predicted by the trees that have not seen it.
Reference tree_reference(const rows::EncodedRows& rows, std::span<const double> observed,
                         std::span<const double> coverages, std::uint64_t seed, ThreadPool& pool);

/// 1 - model / reference: 0 is no better than the reference, 1 perfect, below 0 worse.
double skill(double model, double reference);

}  // namespace mirrorball::report
