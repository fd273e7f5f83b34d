#include "boost/tree_grower.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/sample_rows.h"

namespace mirrorball::boost {

TreeGrower::TreeGrower(const BinnedRows& rows, const TreePlan& plan) : rows_(rows), plan_(plan) {
  for (std::size_t column = 0; column < rows.columns(); ++column)
    if (!rows.cuts[column].empty()) all_.push_back(column);
}

void TreeGrower::grow(std::span<const std::uint32_t> which, std::span<const float> residuals,
                      std::span<const float> weights, Stream& random, BoostedTrees& out,
                      std::span<float> forecast) {
  choose_columns(random);
  order_.assign(which.begin(), which.end());
  right_.resize(order_.size());
  root_ = out.nodes.size();
  out.roots.push_back(static_cast<std::int32_t>(root_));
  out.nodes.push_back({-1, 0, 0});
  bins_of_.assign(1, 0);
  leaves_.clear();
  Leaf first{.begin = 0, .end = order_.size(), .node = root_, .histogram = {}, .best = {}};
  first.histogram = sums_of(first, residuals, weights);
  for (const std::uint32_t row : order_) {
    first.sum += static_cast<double>(weights[row]) * static_cast<double>(residuals[row]);
    first.weight += static_cast<double>(weights[row]);
  }
  settle(first);
  leaves_.push_back(std::move(first));
  while (leaves_.size() < plan_.shape.leaves) {
    Leaf& best = *std::ranges::max_element(leaves_, {}, [](const Leaf& leaf) { return leaf.best.gain; });
    if (!(best.best.gain > 0)) break;
    split(best, residuals, weights, out);
  }
  for (const Leaf& leaf : leaves_)
    out.nodes[leaf.node].cut = static_cast<float>(plan_.rate * leaf.sum / (leaf.weight + plan_.shrinkage));
  add_forecasts(out, forecast);
}

void TreeGrower::choose_columns(Stream& random) {
  columns_ = all_;
  const auto share =
      static_cast<std::size_t>(std::ceil(plan_.shape.share * static_cast<double>(all_.size())));
  const std::size_t wanted = std::min(share, plan_.most_columns);
  choose_first(columns_, wanted, random);
  columns_.resize(wanted);
  std::ranges::sort(columns_);
  offsets_ = {0};
  for (const std::size_t column : columns_)
    offsets_.push_back(offsets_.back() + rows_.cuts[column].size() + 1);
}

TreeGrower::Histogram TreeGrower::sums_of(const Leaf& leaf, std::span<const float> residuals,
                                          std::span<const float> weights) {
  Histogram histogram(offsets_.back());
  for (std::size_t i = leaf.begin; i < leaf.end; ++i) {
    const std::uint32_t row = order_[i];
    const std::uint8_t* bins = rows_.row(row);
    const float weight = weights[row], sum = weight * residuals[row];
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      Bin& bin = histogram[offsets_[k] + bins[columns_[k]]];
      bin.sum += sum;
      bin.weight += weight;
    }
  }
  return histogram;
}

// A split gains
//   S_L^2 / (W_L + l) + S_R^2 / (W_R + l) - S^2 / (W + l)
// of the squared error, with S the sum of weighted residuals, W of weights and l the shrinkage.
void TreeGrower::settle(Leaf& leaf) const {
  leaf.best = {};
  const double whole = score(leaf.sum, leaf.weight);
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const std::size_t column = columns_[k];
    const Bin* bins = leaf.histogram.data() + offsets_[k];
    double sum = 0, weight = 0;
    for (std::size_t bin = 0; bin < rows_.cuts[column].size(); ++bin) {
      sum += static_cast<double>(bins[bin].sum);
      weight += static_cast<double>(bins[bin].weight);
      if (weight < plan_.shape.least_leaf) continue;
      if (leaf.weight - weight < plan_.shape.least_leaf) break;
      const double gain = score(sum, weight) + score(leaf.sum - sum, leaf.weight - weight) - whole;
      if (gain > leaf.best.gain) leaf.best = {gain, column, bin};
    }
  }
  if (!(leaf.best.gain > 0)) leaf.histogram = {};  // it stays a leaf
}

/// Where the bins of a column of this tree begin.
std::size_t TreeGrower::offset_of(std::size_t column) const {
  return offsets_[static_cast<std::size_t>(std::ranges::lower_bound(columns_, column) - columns_.begin())];
}

void TreeGrower::split(Leaf& parent, std::span<const float> residuals, std::span<const float> weights,
                       BoostedTrees& out) {
  const auto [gain, column, bin] = parent.best;
  const std::size_t child = out.nodes.size(), middle = part_rows(parent);
  out.nodes[parent.node] = {static_cast<std::int32_t>(column), rows_.cuts[column][bin],
                            static_cast<std::int32_t>(child)};
  bins_of_[parent.node - root_] = bin;
  out.nodes.resize(child + 2, {-1, 0, 0});
  bins_of_.resize(bins_of_.size() + 2);
  Leaf left{.begin = parent.begin, .end = middle, .node = child, .histogram = {}, .best = {}},
      right{.begin = middle, .end = parent.end, .node = child + 1, .histogram = {}, .best = {}};
  const std::size_t offset = offset_of(column);
  for (std::size_t i = 0; i <= bin; ++i) {
    left.sum += static_cast<double>(parent.histogram[offset + i].sum);
    left.weight += static_cast<double>(parent.histogram[offset + i].weight);
  }
  right.sum = parent.sum - left.sum;
  right.weight = parent.weight - left.weight;
  // Only the smaller side is summed: the other one is what is left of the parent.
  Leaf &small = left.rows() < right.rows() ? left : right, &large = &small == &left ? right : left;
  small.histogram = sums_of(small, residuals, weights);
  large.histogram = std::move(parent.histogram);
  for (std::size_t i = 0; i < large.histogram.size(); ++i) {
    large.histogram[i].sum -= small.histogram[i].sum;
    large.histogram[i].weight -= small.histogram[i].weight;
  }
  settle(left);
  settle(right);
  parent = std::move(left);
  leaves_.push_back(std::move(right));
}

/// Puts the rows that go left first, each side in its old order, and returns where the others begin.
std::size_t TreeGrower::part_rows(const Leaf& leaf) {
  std::size_t left = leaf.begin, right = 0;
  for (std::size_t i = leaf.begin; i < leaf.end; ++i) {
    const std::uint32_t row = order_[i];
    const bool goes_left = rows_.row(row)[leaf.best.column] <= leaf.best.bin;
    order_[left] = row;
    right_[right] = row;
    left += goes_left;
    right += !goes_left;
  }
  std::copy_n(right_.begin(), right, order_.begin() + static_cast<std::ptrdiff_t>(left));
  return left;
}

void TreeGrower::add_forecasts(const BoostedTrees& trees, std::span<float> forecast) const {
  for (std::size_t row = 0; row < forecast.size(); ++row) {
    const std::uint8_t* bins = rows_.row(row);
    std::size_t node = root_;
    while (trees.nodes[node].feature >= 0)
      node = static_cast<std::size_t>(trees.nodes[node].child) +
             (bins[trees.nodes[node].feature] <= bins_of_[node - root_] ? 0 : 1);
    forecast[row] += trees.nodes[node].cut;
  }
}

}  // namespace mirrorball::boost
