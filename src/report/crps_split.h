#pragma once

#include <span>
#include <vector>

namespace mirrorball::report {

/// The mean CRPS in two parts (Hersbach 2000). Between neighbouring draws i and i + 1, which have p = i / M
/// of the draws below them, outcomes lie below with a frequency o, weighted by the distance g of the draws:
///   calibration = Σ_i g_i (o_i - p_i)²   what wrong probabilities cost
///   sharpness   = Σ_i g_i o_i (1 - o_i)  what is left once the probabilities are right: narrower is better
class CrpsSplit {
 public:
  explicit CrpsSplit(std::size_t samples = 0) : below_(samples + 1), above_(samples + 1) {}

  /// Draws in ascending order.
  void add(std::span<const double> sorted, double y);
  void add(const CrpsSplit& other);

  struct Parts {
    double calibration = 0, sharpness = 0;
  };
  Parts parts() const;

 private:
  std::vector<double> below_, above_;  ///< length of each step that lies below the outcomes, and above them
  double rows_ = 0, under_all_ = 0, over_all_ = 0;  ///< rows, and outcomes outside all draws
};

}  // namespace mirrorball::report
