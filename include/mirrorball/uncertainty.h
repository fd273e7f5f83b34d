#pragma once

namespace mirrorball {

/// An uncertainty and its two parts: total = aleatoric + epistemic, up to rounding, and neither is below 0.
struct UncertaintyParts {
  double total = 0;
  double aleatoric = 0;  ///< what a source expects by itself, on average over the sources
  double epistemic = 0;  ///< what the sources disagree about; 0 for a single one
};

/// How uncertain a row's forecast is, split by the sources of its samples: the networks, the forest, the
/// Gaussian process and the neighbours. docs/method.md has the formulas and what the parts are not.
struct Uncertainty {
  /// Of the samples, with samples - 1 in the denominator. Epistemic: the variance of the sources' means.
  UncertaintyParts variance;
  /// The CRPS that a forecast expects if outcomes follow it, half the mean distance of two of its samples.
  /// Epistemic: how much of it one would save by knowing which source is right.
  UncertaintyParts expected_crps;
};

}  // namespace mirrorball
