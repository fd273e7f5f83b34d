#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "mirrorball/options.h"

namespace mirrorball::encode {

/// Training value at a probability in [0, 1], from what a transform keeps of its column. `standard` and
/// `none` keep mean and deviation alone: the value is a normal distribution's, and probabilities stay within
/// 0.001 of its ends.
double training_quantile(Transform kind, std::span<const double> knots, double probability);

/// `value` to so many significant digits.
double rounded_to(int digits, double value);

/// Whether a transform keeps training quantiles of its column; otherwise it keeps mean and deviation.
inline bool keeps_quantiles(Transform kind) {
  return kind != Transform::kStandard && kind != Transform::kNone;
}

/// Networks start from weights for numbers of the order of 1, and single precision ends at 3e38. A column
/// that stays as it is (`none`) with values beyond this is refused.
constexpr double kMostUntransformed = 1e6;

/// Refuses such a column. `sorted` as `NumberTransform::fit` leaves it; `what` names the column, `option` the
/// transform's.
void check_untransformed(Transform kind, const std::vector<double>& sorted, std::string_view what,
                         std::string_view option);

/// Maps a column of numbers to about N(0, 1), and back.
///
/// quantile: u = middle of the two one-sided linear interpolations of x among the training quantiles (so that
///           ties map to the middle of their run), z = Phi^-1(u), clipped to |z| <= 5.1993, i.e. u in
///           [1e-7, 1 - 1e-7]. Back: the quantile at Phi(z), by linear interpolation; never leaves the
///           training range.
/// rankit:   the same among K quantiles, with half a step on either side: z = Phi^-1((u (K - 1) + 1/2) / K).
///           The first and the last lie as near to their neighbours as others do. Back: as `quantile`.
/// smooth:   as `quantile`, with the quantiles of smoothed values (`smooth_knots`).
/// even:     z = sqrt(12) (v - 1/2), v the place of x between the least and the greatest, clipped to [0, 1].
/// auto:     even, where no training value lies further than 0.05 from its rank, both as shares; else rankit.
///           Normal quantiles would pull the ends of an even column apart, where rows are then few.
/// standard: z = (x - mean) / sd.
/// none:     z = x.
/// A column without spread maps to 0, whatever is asked of it later.
class NumberTransform {
 public:
  NumberTransform() = default;

  /// `values` without missing ones, in any order; sorted in place, and then what is `kept` of them. At least
  /// one.
  static NumberTransform fit(Transform kind, std::vector<double>& values, int max_knots);

  /// From what `kind` and `knots` gave; for loading.
  NumberTransform(Transform kind, std::vector<double> knots);

  double forward(double x) const;
  double inverse(double z) const;

  double training_quantile(double level) const { return encode::training_quantile(kind_, knots_, level); }

  /// What counts of x: numbers that spread over more than an eighth of their size count in single precision,
  /// which tells them apart. Those far from 0 that lie close together (times, years) keep all their digits.
  double kept(double x) const { return single_ ? static_cast<double>(static_cast<float>(x)) : x; }

  /// Significant digits of these values that count: 7 around 0, more where all lie far from it, 15 of a
  /// constant.
  int digits() const;

  /// What is kept of `value`, to so many digits: 0.034 is kept as 0.034000002, and this makes it 0.034 again.
  /// Targets are rounded, so that draws can be equal to what was observed.
  double rounded(double value) const { return rounded_to(digits(), kept(value)); }

  /// The same transform between rounded values.
  NumberTransform with_rounded_knots() const;

  Transform kind() const { return kind_; }
  bool has_quantiles() const { return keeps_quantiles(kind_); }
  bool constant() const { return kind_ == Transform::kStandard && knots_[1] == 0; }
  /// Training quantiles at equal steps of probability; standard and none: {mean, sd}.
  const std::vector<double>& knots() const { return knots_; }

 private:
  Transform kind_ = Transform::kStandard;
  std::vector<double> knots_ = {0.0, 1.0};
  bool single_ = true;  ///< see `kept`
};

}  // namespace mirrorball::encode
