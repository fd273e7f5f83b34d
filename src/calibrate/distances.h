#pragma once

#include <array>
#include <vector>

#include "calibrate/held_out.h"

namespace mirrorball::calibrate {

/// Mean distances of a row's sources, of which the first are the networks, stretched by one factor after the
/// other, and the others forest, Gaussian process and neighbours, where there are any. With weights w the
/// pool has
///   CRPS = sum_a w_a |A - y| - sum_ab w_a w_b |A - B| / 2,
/// linear in these distances: their means over the rows are all that is needed.
struct Distances {
  static constexpr std::size_t kOthers = 3;
  using Weights = std::array<double, kOthers>;

  double network_within = 0;                               ///< of factor 1
  std::vector<double> network_truth;                       ///< one per factor
  std::array<std::vector<double>, kOthers> network_other;  ///< one per factor
  Weights truth{};
  std::array<Weights, kOthers> apart{};  ///< of two others, the second not before the first

  double crps(std::size_t factor_index, double factor, const Weights& weight) const;
  void add(double share, const Distances& row);
};

/// Those of every row, where boosted trees have this weight; `grid` are the factors.
std::vector<Distances> all_distances(const HeldOut& rows, const std::vector<double>& grid,
                                     double boost_weight, ThreadPool& pool);

/// The mean over the rows, by weight.
Distances mean_distances(const HeldOut& rows, const std::vector<Distances>& each);

}  // namespace mirrorball::calibrate
