#include "report/joint_scores.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace mirrorball::report {

double variogram_score(const Predictive& forecast, std::size_t row, std::span<const double> observed,
                       std::span<const double> scales) {
  double score = 0;
  for (std::size_t j = 0; j < observed.size(); ++j)
    for (std::size_t k = j + 1; k < observed.size(); ++k) {
      const std::span<const double> a = forecast.row_samples(row, j), b = forecast.row_samples(row, k);
      double expected = 0;
      for (std::size_t i = 0; i < a.size(); ++i)
        expected += std::sqrt(std::fabs(a[i] / scales[j] - b[i] / scales[k]));
      const double seen = std::sqrt(std::fabs(observed[j] / scales[j] - observed[k] / scales[k]));
      score += std::pow(seen - expected / static_cast<double>(a.size()), 2);
    }
  return score;
}

double average_rank(const Predictive& forecast, std::size_t row, std::span<const double> observed, double v) {
  const std::size_t samples = forecast.samples();
  std::vector<double> sums(samples + 1, 0.0), values(samples + 1);  // the outcome is the last
  for (std::size_t t = 0; t < observed.size(); ++t) {
    const std::span<const double> own = forecast.row_samples(row, t);
    std::copy(own.begin(), own.end(), values.begin());
    values[samples] = observed[t];
    std::vector<double> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i <= samples; ++i) {  // twice the middle of its ranks
      const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), values[i]);
      sums[i] += static_cast<double>((first - sorted.begin()) + (last - sorted.begin()));
    }
  }
  const double own = sums[samples];
  const auto below = std::count_if(sums.begin(), sums.end(), [&](double sum) { return sum < own; });
  const auto equal = std::count(sums.begin(), sums.end(), own);
  return (static_cast<double>(below) + v * static_cast<double>(equal)) / static_cast<double>(samples + 1);
}

}  // namespace mirrorball::report
