#pragma once

#include <span>

namespace mirrorball {

/// A number by its value, for a column that enters by its ranks too: those level out how far apart values
/// lie.
///
/// t = (x - median) / s, s = the range between the quartiles / 1.349, or the deviation where that is 0,
/// u = t / sqrt(1 + (t/3)^2), which is softly clipped to |u| < 3,
/// z = (u - mean u) / deviation of u, all of the training rows. x beyond their range counts as its end.
class PlainNumber {
 public:
  /// From the training quantiles at equal steps of probability, which are not all equal.
  explicit PlainNumber(std::span<const double> knots);

  double forward(double x) const;

 private:
  double clipped(double x) const;

  double least_, greatest_, median_, scale_;
  double mean_ = 0, deviation_ = 1;  ///< of u
};

}  // namespace mirrorball
