#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace mirrorball {

/// A place between two neighbours of sorted values.
struct Place {
  std::size_t below, above;  ///< their numbers, from 0; the same at the end
  double weight;             ///< share of the one above
};

/// Place number `at` >= 0, which need not be whole, among `count` values.
Place place_at(double at, std::size_t count);

/// Where a quantile lies: place level·(count − 1), numpy's "linear" rule. Throws unless 0 <= level <= 1.
Place quantile_place(double level, std::size_t count);

/// a + weight·(b − a), taken from the nearer end so that weights 0 and 1 give a and b exactly.
double interpolate(double a, double b, double weight);

/// The quantile of values in ascending order.
double sorted_quantile(std::span<const double> sorted, double level);

/// The median: the middle value, or the mean of the two in the middle.
double sorted_median(std::span<const double> sorted);
double median(std::span<double> values);  ///< of values in any order, which it changes

std::vector<double> sorted_copy(std::span<const double> values);

/// Mean of |a_i - a_j| over all pairs of ascending values: 2 sum_k (2k - n + 1) a_k / n^2.
double sorted_mean_difference(std::span<const double> sorted);

}  // namespace mirrorball
