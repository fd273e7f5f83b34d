#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mirrorball/schema.h"
#include "report/forecasts.h"
#include "report/slices.h"

namespace mirrorball::report {

/// The slices of one feature.
struct FeatureSlices {
  std::size_t feature = 0;
  std::vector<Slice> slices;
};

/// Up to eight slices of every feature.
std::vector<FeatureSlices> slice_rows(const Table& table, const std::vector<ColumnSchema>& features);

/// How good forecasts of a target are on the rows of one slice.
struct SliceScores {
  std::size_t rows = 0;
  double crps = 0;
  double error_ratio = 1;     ///< mean CRPS here over that of all other rows
  double width_ratio = 1;     ///< the same of the 90% interval's width
  double coverage = 0;        ///< of the 90% interval
  double mass = 0;            ///< its probability by the forecasts themselves: the coverage to expect
  bool large_errors = false;  ///< by more than chance
  bool uncovered = false;     ///< fewer outcomes covered than expected, by more than chance
};

/// A closer look at a slice, for a reader who asks.
struct SliceDetails {
  CalibrationCheck check;          ///< of these rows alone
  std::vector<std::size_t> worst;  ///< rows with the largest CRPS, of the rows looked at
};

SliceDetails look_closer(const Forecasts& all, std::size_t target, const Slice& slice);

/// One entry per feature and slice, in the order of `slices`.
std::vector<std::vector<SliceScores>> score_slices(const Forecasts& all, std::size_t target,
                                                   const std::vector<FeatureSlices>& slices);

/// A part of the rows where forecasts of a target are less good than elsewhere, by more than chance.
struct WeakSpot {
  std::size_t feature = 0, slice = 0;  ///< places in the list of slices
};

/// At most `most` over all features, the worst first, each feature once.
std::vector<WeakSpot> weak_spots(const std::vector<std::vector<SliceScores>>& scores, std::size_t most);

}  // namespace mirrorball::report
