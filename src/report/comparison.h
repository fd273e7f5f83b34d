#pragma once

#include <string>
#include <vector>

#include "report/bootstrap.h"
#include "report/row_errors.h"
#include "report/weak_spots.h"

namespace mirrorball::report {

/// A score with its 95% interval.
struct Measured {
  double value = 0;
  Interval interval;
};

/// The scores of one method on one target.
struct MeasuredScores {
  Measured mae, rmse, crps;
  Measured width, coverage;  ///< of the 90% interval
  Measured skill;            ///< by CRPS, against the training distribution
  Measured explained;        ///< R² of the mean
};

/// Of the model or of a reference. `training` is the reference that the skill is against.
MeasuredScores measure(const RowErrors& rows, const RowErrors& training, std::span<const double> observed,
                       std::uint64_t seed, unsigned threads);

/// How much lower the CRPS of one method is than that of another on the same rows.
struct Paired {
  Measured difference;  ///< mean CRPS of the first less that of the second: below 0 the first is better
  double better = 0;    ///< share of the rows on which the first is better; ties count half

  bool sure() const { return difference.interval.low > 0 || difference.interval.high < 0; }
};

Paired pair(const RowErrors& first, const RowErrors& second, std::uint64_t seed, unsigned threads);

/// The difference on the rows of one slice.
struct SliceDifference {
  std::size_t rows = 0;
  double difference = 0, error = 0;  ///< of the mean CRPS, and its standard error
};

/// One entry per feature and slice, in the order of `slices`.
std::vector<std::vector<SliceDifference>> pair_slices(const RowErrors& first, const RowErrors& second,
                                                      const std::vector<FeatureSlices>& slices);

}  // namespace mirrorball::report
