#include "calibrate/assess.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/order_statistics.h"
#include "mirrorball/score.h"

namespace mirrorball::calibrate {
namespace {

/// The rows of one fold, or all others.
HeldOut some_of(const HeldOut& all, std::span<const std::size_t> fold_of, std::size_t fold, bool others) {
  HeldOut some;
  some.network.count = all.network.count;
  some.forest.count = all.forest.count;
  some.process.count = all.process.count;
  some.neighbours.count = all.neighbours.count;
  some.transform = all.transform;
  for (std::size_t row = 0; row < all.rows; ++row) {
    if ((fold_of[row] == fold) == others) continue;
    ++some.rows;
    some.network.add(all.network.of(row));
    some.forest.add(all.forest.of(row));
    some.process.add(all.process.of(row));
    some.neighbours.add(all.neighbours.of(row));
    some.transformed_truth.push_back(all.transformed_truth[row]);
    some.truth.push_back(all.truth[row]);
    some.weight.push_back(all.weight[row]);
    if (!all.boosted.empty()) some.boosted.push_back(all.boosted[row]);
    if (!all.widening.empty()) some.widening.push_back(all.widening[row]);
  }
  return some;
}

Assessment assess_row(std::span<const double> sorted, double truth, double weight) {
  const double low = sorted_quantile(sorted, 0.05), high = sorted_quantile(sorted, 0.95);
  return {weight, weight * crps(sorted, truth), weight * std::abs(sorted_median(sorted) - truth),
          low <= truth && truth <= high ? weight : 0, weight * (high - low)};
}

}  // namespace

void Assessment::add(const Assessment& other) {
  weight += other.weight;
  crps += other.crps;
  error += other.error;
  inside += other.inside;
  width += other.width;
}

Assessment assess(const HeldOut& rows, const Calibration& calibration, std::size_t samples,
                  ThreadPool& pool) {
  std::vector<Assessment> each(rows.rows);
  std::vector<CalibrationScratch> scratch(pool.size());
  pool.run(rows.rows, [&](std::size_t row, unsigned worker) {
    each[row] = assess_row(pooled(rows, row, samples, calibration, scratch[worker]), rows.truth[row],
                           rows.weight[row]);
  });
  Assessment sum;
  for (const Assessment& one : each) sum.add(one);  // in their order, whatever the threads
  return sum;
}

std::vector<std::size_t> fold_of_rows(std::size_t rows, std::size_t folds,
                                      std::span<const std::uint32_t> groups) {
  std::vector<std::size_t> fold_of(rows);
  for (std::size_t row = 0; row < rows; ++row) fold_of[row] = row % folds;
  std::map<std::uint32_t, std::vector<std::size_t>> members;
  for (std::size_t row = 0; row < groups.size(); ++row) members[groups[row]].push_back(row);
  if (members.size() < 2) return fold_of;
  std::vector<const std::vector<std::size_t>*> by_size;
  for (const auto& [group, its_rows] : members) by_size.push_back(&its_rows);
  std::stable_sort(by_size.begin(), by_size.end(),
                   [](const auto* one, const auto* other) { return one->size() > other->size(); });
  std::vector<std::size_t> filled(std::min(folds, members.size()));
  for (const auto* its_rows : by_size) {
    const auto least = std::min_element(filled.begin(), filled.end());
    for (const std::size_t row : *its_rows) fold_of[row] = static_cast<std::size_t>(least - filled.begin());
    *least += its_rows->size();
  }
  return fold_of;
}

Assessment cross_assess(const HeldOut& rows, std::span<const std::size_t> fold_of, std::size_t samples,
                        const std::function<Calibration(const HeldOut&)>& fit, ThreadPool& pool) {
  Assessment sum;
  const std::size_t folds = *std::max_element(fold_of.begin(), fold_of.end()) + 1;
  for (std::size_t fold = 0; fold < folds; ++fold)
    sum.add(
        assess(some_of(rows, fold_of, fold, false), fit(some_of(rows, fold_of, fold, true)), samples, pool));
  return sum;
}

}  // namespace mirrorball::calibrate
