#pragma once

#include <vector>

namespace mirrorball::encode {

/// Quantiles of ascending values at equal steps of probability, from the least to the greatest: one for each
/// value, but at most `max_knots`.
std::vector<double> quantile_knots(const std::vector<double>& sorted, int max_knots);

/// The same of smoothed values, which have no steps where values happen to lie apart. With
/// z_j = Phi^-1((j + 1/2) / n) for the value y_j, j = 0 .. n - 1, the knot at z is the line through the
/// values near it, taken at z, where it lies within the range and above the knots before:
///
///   min over a, b of sum_j w_j (y_j - a - b (z_j - z))^2,   w_j = exp(-(z_j - z)^2 / 2 h^2),   h = n^(-1/5)
///
/// (local linear regression, Fan 1993). The first and the last knot are the least and the greatest value.
std::vector<double> smooth_knots(const std::vector<double>& sorted, int max_knots);

}  // namespace mirrorball::encode
