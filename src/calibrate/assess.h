#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "calibrate/held_out.h"

namespace mirrorball::calibrate {

/// Scores of held-out rows in the target's units: sums over the rows, each times its weight.
struct Assessment {
  double weight = 0, crps = 0, error = 0, inside = 0, width = 0;  ///< error: of the median, absolute

  void add(const Assessment& other);
};

/// The rows' forecasts of `samples` draws, corrected by a calibration.
Assessment assess(const HeldOut& rows, const Calibration& calibration, std::size_t samples, ThreadPool& pool);

/// The fold of each of `rows` rows: one row after the other goes round `folds` of them. Where rows have
/// groups, whole groups do, the largest first and each to the fold with the fewest rows; a single group is
/// split like rows without one.
std::vector<std::size_t> fold_of_rows(std::size_t rows, std::size_t folds,
                                      std::span<const std::uint32_t> groups);

/// Every row corrected by the calibration that `fit` makes of the other folds' rows.
Assessment cross_assess(const HeldOut& rows, std::span<const std::size_t> fold_of, std::size_t samples,
                        const std::function<Calibration(const HeldOut&)>& fit, ThreadPool& pool);

}  // namespace mirrorball::calibrate
