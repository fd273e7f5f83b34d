#pragma once

#include <cstddef>

namespace mirrorball::scoring {

/// Shares between which the share of n independent rows that do something of probability p lies by chance.
struct Band {
  double low = 0, high = 1;
  bool contains(double share) const { return low <= share && share <= high; }
};

/// From the binomial distribution itself, so that it holds for few rows too.
Band chance_band(std::size_t n, double p, double coverage = 0.95);

}  // namespace mirrorball::scoring
