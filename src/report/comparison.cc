#include "report/comparison.h"

#include <cmath>

#include "report/references.h"

namespace mirrorball::report {

MeasuredScores measure(const RowErrors& rows, const RowErrors& training, std::span<const double> observed,
                       std::uint64_t seed, unsigned threads) {
  // Measured from the first outcome: squares of numbers far from 0 would lose the variance.
  std::vector<double> apart(observed.begin(), observed.end()), square;
  for (double& value : apart) value -= observed[0], square.push_back(value * value);
  enum Column { kCrps, kAbsolute, kSquared, kTraining, kApart, kSquare, kWidth, kInside };
  std::vector<std::span<const double>> columns = {rows.crps,     rows.absolute, rows.squared,
                                                  training.crps, apart,         square};
  if (!rows.width.empty()) {
    columns.push_back(rows.width);
    columns.push_back(rows.inside);
  }
  std::vector<double> means;
  for (std::span<const double> column : columns) means.push_back(mean_of(column));
  const Bootstrap again(columns, seed, threads);
  const auto measured = [&](const Bootstrap::Score& score) {
    return Measured{score(means), again.interval(score)};
  };
  using Means = std::span<const double>;
  MeasuredScores result;
  result.mae = measured([](Means m) { return m[kAbsolute]; });
  result.rmse = measured([](Means m) { return std::sqrt(m[kSquared]); });
  result.crps = measured([](Means m) { return m[kCrps]; });
  result.skill = measured([](Means m) { return skill(m[kCrps], m[kTraining]); });
  result.explained = measured([](Means m) { return skill(m[kSquared], m[kSquare] - m[kApart] * m[kApart]); });
  if (rows.width.empty()) return result;
  result.width = measured([](Means m) { return m[kWidth]; });
  result.coverage = measured([](Means m) { return m[kInside]; });
  return result;
}

Paired pair(const RowErrors& first, const RowErrors& second, std::uint64_t seed, unsigned threads) {
  std::vector<double> difference(first.crps.size());
  Paired result;
  for (std::size_t row = 0; row < difference.size(); ++row) {
    difference[row] = first.crps[row] - second.crps[row];
    result.better += difference[row] < 0 ? 1 : difference[row] == 0 ? 0.5 : 0;
  }
  result.better /= static_cast<double>(difference.size());
  const auto mean = [](std::span<const double> means) { return means[0]; };
  result.difference = {mean_of(difference), Bootstrap({difference}, seed, threads).interval(mean)};
  return result;
}

std::vector<std::vector<SliceDifference>> pair_slices(const RowErrors& first, const RowErrors& second,
                                                      const std::vector<FeatureSlices>& slices) {
  std::vector<std::vector<SliceDifference>> result;
  for (const FeatureSlices& feature : slices) {
    std::vector<SliceDifference>& own = result.emplace_back();
    for (const Slice& slice : feature.slices) {
      double n = 0, sum = 0, square = 0;
      for (std::uint32_t row : slice.rows) {
        const double d = first.crps[row] - second.crps[row];
        n += 1;
        sum += d;
        square += d * d;
      }
      const double variance = n > 1 ? std::max(0.0, square - sum * sum / n) / (n - 1) : 0;
      own.push_back({slice.rows.size(), n > 0 ? sum / n : 0, n > 0 ? std::sqrt(variance / n) : 0});
    }
  }
  return result;
}

}  // namespace mirrorball::report
