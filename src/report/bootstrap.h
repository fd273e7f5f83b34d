#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace mirrorball::report {

/// Ends of a 95% interval.
struct Interval {
  double low = 0, high = 0;
};

/// Scores are functions of means over rows. Rows are drawn again with replacement, as many as there are, and
/// the 2.5% and 97.5% quantiles of a score over such samples are its interval. Scores of one Bootstrap see
/// the same rows each time, so that differences between forecasts are paired.
class Bootstrap {
 public:
  /// Columns of one number per row, all of the same length.
  Bootstrap(const std::vector<std::span<const double>>& columns, std::uint64_t seed, unsigned threads);

  using Score = std::function<double(std::span<const double> means)>;
  /// Of a score that gets the mean of each column.
  Interval interval(const Score& score) const;

 private:
  std::size_t columns_ = 0, repeats_ = 0;
  std::vector<double> means_;  ///< repeats x columns
};

}  // namespace mirrorball::report
