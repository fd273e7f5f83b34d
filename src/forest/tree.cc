#include "forest/tree.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

#include "base/sample_rows.h"

namespace mirrorball::forest {
namespace {

// Four at once is what every x86-64 can do; sums and counts of four cuts just fit its registers. GCC and
// Clang have these types for all processors. Written as loops over arrays, GCC 12 does not see the vectors.
constexpr std::size_t kLanes = 4;
using Floats [[gnu::vector_size(16)]] = float;
using Ints [[gnu::vector_size(16)]] = std::int32_t;

Floats four_at(const float* from) {
  Floats four;
  std::memcpy(&four, from, sizeof four);
  return four;
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::size_t whole_lanes(std::size_t count) { return (count + kLanes - 1) / kLanes * kLanes; }

void pad(std::vector<float>& values, std::size_t count, float with) {
  std::fill(values.begin() + count, values.begin() + whole_lanes(count), with);
}

}  // namespace

Forest TreeGrower::grow(std::span<const std::uint32_t> bag, Stream& random) {
  load(bag, random);
  Forest tree{.nodes = {Forest::Node{}}, .roots = {0}, .leaf_begin = {0}, .values = {}, .targets = per_row_};
  std::vector<Part> open = {{0, count_, 0}};
  while (!open.empty()) {
    const Part part = open.back();
    open.pop_back();
    const Best best = best_cut(part, random);
    if (best.feature < 0) {
      close(part, tree);
      continue;
    }
    const std::size_t middle = split(part, best), child = tree.nodes.size();
    tree.nodes[part.node] = {best.feature, best.cut, static_cast<std::int32_t>(child)};
    tree.nodes.resize(child + 2);
    open.push_back({middle, part.end, child + 1});
    open.push_back({part.begin, middle, child});
  }
  return tree;
}

void TreeGrower::load(std::span<const std::uint32_t> bag, Stream& random) {
  const std::size_t features = rows_.number_columns + rows_.code_columns;
  count_ = bag.size();
  bag_ = bag;
  std::vector<float> direction(per_row_, 1.0f);
  if (per_row_ > 1)
    for (float& part : direction) part = static_cast<float>(random.normal());
  columns_.resize(features * count_);
  targets_.resize(count_);
  for (std::size_t i = 0; i < count_; ++i) {
    const float* numbers = rows_.numbers.data() + bag[i] * rows_.number_columns;
    const std::int32_t* codes = rows_.codes.data() + bag[i] * rows_.code_columns;
    std::size_t to = i;
    for (std::size_t f = 0; f < rows_.number_columns; ++f, to += count_) columns_[to] = numbers[f];
    for (std::size_t f = 0; f < rows_.code_columns; ++f, to += count_)
      columns_[to] = static_cast<float>(codes[f]);
    targets_[i] = 0;
    for (std::size_t t = 0; t < per_row_; ++t)
      targets_[i] += direction[t] * all_targets_[bag[i] * per_row_ + t];
  }
  order_.resize(count_);
  std::iota(order_.begin(), order_.end(), 0u);
  right_.resize(count_);
  features_.resize(features);
  std::iota(features_.begin(), features_.end(), 0u);
  x_.resize(whole_lanes(count_));
  y_.resize(whole_lanes(count_));
}

TreeGrower::Best TreeGrower::best_cut(const Part& part, Stream& random) {
  Best best;
  if (part.size() < 2 * plan_.min_leaf || !center_targets(part)) return best;
  const std::size_t all = features_.size();
  const std::size_t wanted = plan_.features == 0 ? all : std::min(plan_.features, all);
  std::size_t tried = 0;
  for (std::size_t k = 0; k < all && tried < wanted; ++k) {
    if (wanted < all) choose_next(features_, k, random);  // one by one: those without spread do not count
    if (try_feature(part, features_[k], random, best)) ++tried;
  }
  return best;
}

/// Makes y_ the node's targets less their mean. False where they are all the same.
bool TreeGrower::center_targets(const Part& part) {
  const float first = targets_[order_[part.begin]];
  bool spread = false;
  double sum = 0;
  for (std::size_t i = 0; i < part.size(); ++i) {
    y_[i] = targets_[order_[part.begin + i]];
    spread |= y_[i] != first;
    sum += y_[i];
  }
  const double mean = sum / static_cast<double>(part.size());
  for (std::size_t i = 0; i < part.size(); ++i) y_[i] = static_cast<float>(y_[i] - mean);
  pad(y_, part.size(), 0.0f);
  return spread;
}

/// Tries random cuts between the least and the greatest value. False where these are the same.
bool TreeGrower::try_feature(const Part& part, std::uint32_t feature, Stream& random, Best& best) {
  const float* column = columns_.data() + feature * count_;
  const std::uint32_t* order = order_.data() + part.begin;
  for (std::size_t i = 0; i < part.size(); ++i) x_[i] = column[order[i]];
  pad(x_, part.size(), x_[0]);
  const auto [least, greatest] = range(part.size());
  if (!(least < greatest)) return false;
  pad(x_, part.size(), kNan);  // below no cut
  for (std::size_t done = 0; done < plan_.cuts; done += kCutsAtOnce) {
    Cuts cuts;
    cuts.fill(kNan);
    for (std::size_t c = 0; c < std::min(kCutsAtOnce, plan_.cuts - done); ++c)
      cuts[c] = least + (greatest - least) * random.uniform();
    try_cuts(part.size(), feature, cuts, best);
  }
  return true;
}

/// The least and the greatest of the first `count` of x_.
std::pair<float, float> TreeGrower::range(std::size_t count) const {
  Floats low = four_at(x_.data()), high = low;
  for (std::size_t i = kLanes; i < count; i += kLanes) {
    const Floats x = four_at(x_.data() + i);
    low = x < low ? x : low;
    high = x > high ? x : high;
  }
  return {std::min({low[0], low[1], low[2], low[3]}), std::max({high[0], high[1], high[2], high[3]})};
}

// A cut takes the most variance away where
//   S_L^2 / n_L + S_R^2 / n_R
// is largest, with S the sum and n the number of targets on a side. Their mean is 0 here, so S_R = -S_L and
// this is S_L^2 n / (n_L n_R).
void TreeGrower::try_cuts(std::size_t count, std::uint32_t feature, const Cuts& cuts, Best& best) const {
  Floats sums[kCutsAtOnce] = {};
  Ints counts[kCutsAtOnce] = {};
  for (std::size_t i = 0; i < count; i += kLanes) {
    const Floats x = four_at(x_.data() + i), y = four_at(y_.data() + i);
    for (std::size_t c = 0; c < kCutsAtOnce; ++c) {
      const Ints below = x <= cuts[c];  // -1 where it is, else 0
      sums[c] += below ? y : Floats{};
      counts[c] -= below;
    }
  }
  for (std::size_t c = 0; c < kCutsAtOnce; ++c) {
    const auto left = static_cast<std::size_t>(counts[c][0] + counts[c][1] + counts[c][2] + counts[c][3]);
    if (left < plan_.min_leaf || count - left < plan_.min_leaf) continue;
    const double sum = (sums[c][0] + sums[c][1]) + (sums[c][2] + sums[c][3]);
    const double n = static_cast<double>(count), n_left = static_cast<double>(left);
    const double gain = sum * sum * n / (n_left * (n - n_left));
    if (gain > best.gain) best = {static_cast<std::int32_t>(feature), cuts[c], gain};
  }
}

/// Puts the rows up to the cut first, each side in its old order, and returns where the others begin. Without
/// branches: a processor could not guess them.
std::size_t TreeGrower::split(const Part& part, const Best& best) {
  const float* column = columns_.data() + static_cast<std::size_t>(best.feature) * count_;
  std::size_t left = part.begin, right = 0;
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const std::uint32_t row = order_[i];
    const bool below = column[row] <= best.cut;
    order_[left] = row;
    right_[right] = row;
    left += below;
    right += !below;
  }
  std::copy_n(right_.begin(), right, order_.begin() + left);
  return left;
}

void TreeGrower::close(const Part& part, Forest& tree) const {
  tree.nodes[part.node] = {-1, 0.0f, static_cast<std::int32_t>(tree.leaf_begin.size() - 1)};
  const auto begin = static_cast<std::ptrdiff_t>(tree.values.size());
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const float* own = all_targets_.data() + bag_[order_[i]] * per_row_;
    tree.values.insert(tree.values.end(), own, own + per_row_);
  }
  if (per_row_ == 1) std::sort(tree.values.begin() + begin, tree.values.end());
  tree.leaf_begin.push_back(static_cast<std::int32_t>(tree.values.size() / per_row_));
}

}  // namespace mirrorball::forest
