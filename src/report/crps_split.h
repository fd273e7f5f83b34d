#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace mirrorball::report {

/// The mean CRPS in two parts (Hersbach 2000). Between neighbouring samples i and i + 1, which have p = i / M
/// of the samples below them, outcomes lie below with a frequency o, weighted by the distance g of the
/// samples:
///   calibration = Σ g (o - p)²   what wrong probabilities cost
///   sharpness   = the rest       what is left once the probabilities are right: narrower is better
/// The sum is over twentieths of p, each with its mean: of samples that repeat values, few rows have a step
/// at a certain p, and the frequencies of single ones would be chance that looks like wrong probabilities.
class CrpsSplit {
 public:
  /// Samples in ascending order.
  void add(std::span<const double> sorted, double y);
  void add(const CrpsSplit& other);

  struct Parts {
    double calibration = 0, sharpness = 0;
  };
  Parts parts() const;

 private:
  static constexpr std::size_t kClasses = 20;
  /// Length of the steps that lies below the outcomes, and above them; all of it times p.
  struct Steps {
    double below = 0, above = 0, weighted = 0;
  };
  std::array<Steps, kClasses> classes_{};
  double crps_ = 0;
  double before_ = 0, behind_ = 0;                  ///< distance of outcomes outside all samples
  double rows_ = 0, under_all_ = 0, over_all_ = 0;  ///< rows, and outcomes outside all samples
};

}  // namespace mirrorball::report
