#pragma once

#include <span>
#include <string_view>

#include "mirrorball/atoms.h"
#include "score/points.h"

namespace mirrorball::scoring {

// The scores of one forecast behind their doors: input checked, in the shape that computes fastest.

/// Throws where a value is not finite; `what` names it.
void check_finite(std::string_view what, std::span<const double> values);

/// CRPS of draws in ascending order, at least 2 for `fair`.
double sorted_crps(std::span<const double> sorted, double y, bool fair);

/// Share of draws below y, ties counted half; draws in ascending order.
double sorted_pit(std::span<const double> sorted, double y);

/// The NLL of draws of a target with atoms (include/mirrorball/score.h).
double atoms_nll(std::span<const double> draws, double y, const Atoms& atoms);

/// Energy score of two or more dimensions.
double columns_energy_score(const Points& draws, std::span<const double> y, bool fair);

}  // namespace mirrorball::scoring
