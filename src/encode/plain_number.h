#pragma once

#include "encode/transform.h"

namespace mirrorball::encode {

/// A number by its value, for a column that enters by its ranks too: those level out how far apart values
/// lie.
///
/// t = (x - median) / s, s = the range between the quartiles / 1.349, or the deviation of the knots where the
///     quartiles are nearly equal,
/// u = t / sqrt(1 + (t/3)^2), so that what lies far out is softly clipped to |u| < 3,
/// z = (u - mean u) / max(deviation of u, 1/2), over the knots: |z| < 12, a rare value of a column that is
///     otherwise constant included.
/// x beyond the training range counts as its end.
class PlainNumber {
 public:
  /// Whether a transform goes by ranks and has values that differ.
  static bool can_be_told_from(const NumberTransform& ranks);

  /// Its values must differ.
  explicit PlainNumber(const NumberTransform& ranks);

  double forward(double x) const;

 private:
  double clipped(double x) const;

  double least_, greatest_, median_, scale_;
  double mean_ = 0, deviation_ = 1;  ///< of u
};

}  // namespace mirrorball::encode
