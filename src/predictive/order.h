#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace mirrorball {

/// The draws as doubles, checked: a NaN or an infinity has no place in an order, and throws.
std::vector<double> finite_copy(std::span<const double> draws);

/// Where a quantile lies among M order statistics: between number `below` (from 0) and the next one.
struct Position {
  std::size_t below;
  double weight;  ///< share of the next one
};

/// Position level·(M − 1), numpy's "linear" rule. Throws unless 0 <= level <= 1.
Position quantile_position(double level, std::size_t count);

/// a + weight·(b − a), taken from the nearer end so that weights 0 and 1 give a and b exactly.
double interpolate(double a, double b, double weight);

/// The quantile of values in ascending order.
double sorted_quantile(std::span<const double> sorted, double level);

}  // namespace mirrorball
