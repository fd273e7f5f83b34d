#pragma once

#include <span>
#include <vector>

#include "report/training_column.h"

namespace mirrorball::report {

/// A forecast that knows nothing of the row: the same for all of them.
struct Reference {
  double mae = 0, rmse = 0, crps = 0;
  std::vector<double> widths, coverages;  ///< of central intervals; none of a single number
};

/// The distribution of the target over the training rows, by its quantiles.
Reference training_quantiles(const TrainingColumn& training, std::span<const double> observed,
                             std::span<const double> coverages);

/// The training mean as a single number. Its CRPS is its mean absolute error.
Reference training_mean(const TrainingColumn& training, std::span<const double> observed);

/// 1 - model / reference: 0 is no better than the reference, 1 perfect, below 0 worse.
double skill(double model, double reference);

}  // namespace mirrorball::report
