#pragma once

#include <array>
#include <vector>

#include "report/forecasts.h"

namespace mirrorball::report {

/// How the probabilities of "more than a threshold" came true: rows in bins of their probability.
struct Threshold {
  static constexpr std::size_t kBins = 20;

  double at = 0;
  std::array<std::size_t, kBins> rows{}, events{};  ///< per bin: rows, and outcomes above the threshold
  std::array<double, kBins> probability{};          ///< mean of the rows
};

/// One for each of Forecasts::thresholds.
std::vector<Threshold> thresholds(const Forecasts& all, std::size_t target);

}  // namespace mirrorball::report
