#include "report/thresholds.h"

#include <algorithm>

namespace mirrorball::report {

std::vector<Threshold> thresholds(const Forecasts& all, std::size_t target) {
  std::vector<Threshold> result;
  for (std::size_t k = 0; k < all.thresholds[target].size(); ++k) {
    Threshold one;
    one.at = all.thresholds[target][k];
    for (std::size_t row = 0; row < all.rows; ++row) {
      const double p = all.at(row, target).above[k];
      const auto bin = std::min(Threshold::kBins - 1, static_cast<std::size_t>(p * Threshold::kBins));
      ++one.rows[bin];
      one.events[bin] += all.outcome(row, target) > one.at;
      one.probability[bin] += p;
    }
    for (std::size_t bin = 0; bin < Threshold::kBins; ++bin)
      if (one.rows[bin] > 0) one.probability[bin] /= static_cast<double>(one.rows[bin]);
    result.push_back(one);
  }
  return result;
}

}  // namespace mirrorball::report
