#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace mirrorball {

/// How good the forecasts of one target are on held-out rows, in the target's units. Means over the rows, by
/// weight where rows have weights.
struct TargetFit {
  std::string name;
  double crps = 0;
  double mae = 0;            ///< of the predictive median
  double coverage = 0;       ///< share of the rows inside their central 90% interval
  double width = 0;          ///< of that interval
  double training_crps = 0;  ///< of the training rows' distribution, the same for every row

  /// 1 - crps / training_crps: 0 is no better than the training distribution, 1 is perfect.
  double skill() const { return training_crps > 0 ? 1 - crps / training_crps : 0; }
};

/// An estimate of a model's error, made at the end of `fit` before a refit. Calibrated forecasts are
/// cross-fitted: a row is scored with the calibration of other rows. Two biases are left, and both are small.
/// The validation rows chose the best epoch, which makes the estimate a little too good; the refit then adds
/// these rows to the training, which makes it a little too bad. Conformal rows chose no epoch: on them there
/// is no such bias.
struct FitReport {
  std::size_t rows = 0;         ///< held-out rows scored; 0: fewer than 10 were there, and nothing is known
  bool conformal_rows = false;  ///< they are those held out for conformal calibration; else validation rows
  bool cross_fitted = false;    ///< false where the forecasts are not calibrated
  std::vector<TargetFit> targets;
};

/// What a report says against a model, a sentence for each target that is predicted no better than by the
/// training distribution.
std::vector<std::string> weak_fits(const FitReport& report);

/// The report as one JSON object; "null" where there is none. docs/file-format.md has its fields.
std::string to_json(const FitReport& report);

}  // namespace mirrorball
