#pragma once

#include <span>
#include <vector>

#include "mirrorball/options.h"

namespace mirrorball::encode {

/// Training value at a probability in [0, 1], from what a transform keeps of its column. `standard` keeps
/// mean and deviation alone: the value is a normal distribution's, and probabilities stay within 0.001 of its
/// ends.
double training_quantile(Transform kind, std::span<const double> knots, double probability);

/// `value` to so many significant digits.
double rounded_to(int digits, double value);

/// Maps a column of numbers to about N(0, 1), and back.
///
/// quantile: u = middle of the two one-sided linear interpolations of x among the training quantiles (so that
///           ties map to the middle of their run), z = Phi^-1(u), clipped to |z| <= 5.1993, i.e. u in
///           [1e-7, 1 - 1e-7]. Back: the quantile at Phi(z), by linear interpolation; never leaves the
///           training range.
/// scores:   the same among K quantiles, with half a step on either side: z = Phi^-1((u (K - 1) + 1/2) / K).
///           The first and the last lie as near to their neighbours as others do. Back: as `quantile`.
/// even:     z = sqrt(12) (v - 1/2), v the place of x between the least and the greatest, clipped to [0, 1].
/// auto:     even, where no training value lies further than 0.05 from its rank, both as shares; else scores.
///           Normal scores would pull the ends of an even column apart, where rows are then few.
/// standard: z = (x - mean) / sd.
/// A column without spread maps to 0, whatever is asked of it later.
class NumberTransform {
 public:
  NumberTransform() = default;

  /// `values` without gaps, in any order; sorted in place. At least one.
  static NumberTransform fit(Transform kind, std::vector<double>& values, int max_knots);

  /// From what `kind` and `knots` gave; for loading.
  NumberTransform(Transform kind, std::vector<double> knots) : kind_(kind), knots_(std::move(knots)) {}

  double forward(double x) const;
  double inverse(double z) const;

  double training_quantile(double level) const { return encode::training_quantile(kind_, knots_, level); }

  /// Significant digits that a table keeps of these values: 7 around 0, more where all lie far from it, 15 of
  /// a constant.
  int digits() const;

  /// `value` to so many digits. Tables keep 24 bits, so that 0.034 comes back as 0.034000002; this makes it
  /// 0.034 again. Targets are rounded, so that draws can be equal to what was observed.
  double rounded(double value) const { return rounded_to(digits(), value); }

  /// The same transform between rounded values.
  NumberTransform with_rounded_knots() const;

  Transform kind() const { return kind_; }
  bool has_quantiles() const { return kind_ != Transform::kStandard; }
  bool constant() const { return kind_ == Transform::kStandard && knots_[1] == 0; }
  /// But for standard: the training quantiles at equal steps of probability; standard: {mean, sd}.
  const std::vector<double>& knots() const { return knots_; }

 private:
  Transform kind_ = Transform::kStandard;
  std::vector<double> knots_ = {0.0, 1.0};
};

}  // namespace mirrorball::encode
