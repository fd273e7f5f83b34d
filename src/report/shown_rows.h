#pragma once

#include <cstddef>
#include <vector>

#include "mirrorball/model.h"
#include "report/forecasts.h"
#include "report/row_space.h"

namespace mirrorball::report {

/// Single rows that are drawn, with some samples of each.
struct ShownRows {
  std::vector<std::size_t> rows;  ///< of the rows looked at
  Predictive samples;             ///< a row for each of them
};

/// Of rows with joint samples: so many fill a density of two targets.
inline constexpr std::size_t kJointDraws = 800;

/// Samples for these rows of a table.
ShownRows shown_rows(const Model& model, const Table& table, std::vector<std::size_t> rows,
                     const PredictOptions& options);

/// `count` of the rows at the front of an order that differ from each other, in their features and, where
/// they are known, in their outcomes: the next best row often is the same again. Fewer where there are not so
/// many: of a target that is mostly 0, the best rows may all be one.
std::vector<std::size_t> different_rows(const std::vector<std::size_t>& order, std::size_t count,
                                        const RowSpace& space, const Forecasts& all, std::size_t target,
                                        double outcome_spread);

/// All rows, those a target predicts best first: by CRPS, or by spread where outcomes are not known.
std::vector<std::size_t> best_first(const Forecasts& all, std::size_t target);

/// Rows with joint samples of all targets: well, middling and badly predicted.
struct JointRows {
  ShownRows shown;
  std::vector<double> places;  ///< share of all rows that are predicted better
};

/// `scales` has one number per target, by which its CRPS or spread is divided before they are added up.
JointRows joint_rows(const Model& model, const Table& table, const Forecasts& all,
                     const std::vector<double>& scales, const PredictOptions& options);

}  // namespace mirrorball::report
