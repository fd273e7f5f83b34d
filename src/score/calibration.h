#pragma once

#include <span>
#include <vector>

#include "mirrorball/score.h"

namespace mirrorball::scoring {

/// A number in [0, 1) that splits the ties of one row and target; the same in every program.
double tie_break(std::size_t row, std::size_t target);

/// The rank of y among draws in ascending order as a share of 1: uniform where y and the draws come from one
/// distribution, whatever its atoms. `v` in [0, 1) places y among its equals.
double sorted_random_pit(std::span<const double> sorted, double y, double v);

/// Share of the draws in [low, high].
double sorted_mass(std::span<const double> sorted, double low, double high);

/// What is known of the rows of a check.
struct CheckedRows {
  std::vector<double> pit;       ///< of sorted_random_pit
  std::vector<double> observed;  ///< in any order
  double ties = 0;               ///< mean share of draws that equal the outcome
  IntervalScore half, ninety;
  std::size_t points = 0;  ///< rows whose draws are all alike
};

CalibrationCheck check_calibration(CheckedRows rows);

}  // namespace mirrorball::scoring
