#include <algorithm>
#include <numeric>

#include "base/order_statistics.h"
#include "forest/forest.h"
#include "plan/rules.h"
#include "report/references.h"

namespace mirrorball::report {
namespace {

/// About a third of the trees have not seen a row: 32 of them.
constexpr std::size_t kTrees = 96, kLeaf = 5;
constexpr double kTreeShare = 0.667;
constexpr std::size_t kQuantiles = 200;

}  // namespace

Reference tree_reference(const rows::EncodedRows& rows, std::span<const double> observed,
                         std::span<const double> coverages, std::uint64_t seed, ThreadPool& pool) {
  const std::vector<float> targets(observed.begin(), observed.end());
  std::vector<std::uint32_t> which(rows.rows);
  std::iota(which.begin(), which.end(), 0u);
  forest::ForestPlan plan;
  plan.trees = kTrees;
  plan.min_leaf = kLeaf;
  plan.share = kTreeShare;
  plan.features = plan::forest_features(rows.number_columns + rows.code_columns);
  const forest::GrownForest grown = forest::Forest::grow(rows, targets, {}, which, plan, seed, pool);
  Reference result{.name = "Trees", .rows = RowErrors(rows.rows)};
  result.rows.add_intervals();
  std::vector<double> widths(rows.rows * coverages.size()), inside(widths.size());
  pool.run(rows.rows, [&](std::size_t row, unsigned) {
    forest::Forest::Scratch scratch;
    std::vector<float> found(kQuantiles, targets[row]);
    // A row that every tree has seen is one in 10^17.
    grown.forest.quantiles_out_of_bag(rows, row, grown.in_bag, found, scratch);
    const std::vector<double> sorted(found.begin(), found.end());
    result.rows.set(row, sorted, observed[row]);
    for (std::size_t i = 0; i < coverages.size(); ++i) {
      const double low = sorted_quantile(sorted, (1 - coverages[i]) / 2),
                   high = sorted_quantile(sorted, (1 + coverages[i]) / 2);
      widths[i * rows.rows + row] = high - low;
      inside[i * rows.rows + row] = low <= observed[row] && observed[row] <= high;
    }
  });
  for (std::size_t i = 0; i < coverages.size(); ++i) {
    result.widths.push_back(mean_of(std::span(widths).subspan(i * rows.rows, rows.rows)));
    result.coverages.push_back(mean_of(std::span(inside).subspan(i * rows.rows, rows.rows)));
  }
  result.finish();
  return result;
}

}  // namespace mirrorball::report
