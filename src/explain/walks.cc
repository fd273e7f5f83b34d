#include "explain/walks.h"

#include <algorithm>

#include "explain/shapley.h"

namespace mirrorball::shap {

Walks::Walks(Composites& composites, std::size_t b, const SetPlan& plan, std::span<const std::uint8_t> wanted,
             const std::function<std::vector<std::uint32_t>(std::size_t, std::size_t)>& order)
    : plan_(plan), varying_(composites.varying().size()), players_(composites.differing(b)) {
  if (plan_.all) take_all(composites, b);
  for (std::size_t pair = 0; pair < plan_.pairs; ++pair) {
    std::vector<std::uint32_t> way;
    for (const std::uint32_t place : order(pair, players_.size())) way.push_back(players_[place]);
    walk(composites, b, way, wanted);
    std::reverse(way.begin(), way.end());
    walk(composites, b, way, wanted);
    ends_.push_back(steps_.size());
  }
}

void Walks::take_all(Composites& composites, std::size_t b) {
  const std::size_t sets = std::size_t{1} << players_.size();
  std::vector<std::uint8_t> from_x(varying_);
  numbers_.assign(sets, kBackground);
  for (std::size_t set = 1; set + 1 < sets; ++set) {
    std::fill(from_x.begin(), from_x.end(), 0);
    for (std::size_t i = 0; i < players_.size(); ++i) from_x[players_[i]] = set >> i & 1;
    numbers_[set] = composites.number(from_x, b);
  }
  numbers_.back() = kX;  // where nothing differs the two ends are one
}

/// Rows are evaluated only beside the step of a wanted feature.
void Walks::walk(Composites& composites, std::size_t b, std::span<const std::uint32_t> order,
                 std::span<const std::uint8_t> wanted) {
  std::vector<std::uint8_t> from_x(varying_, 0);
  std::size_t here = kBackground;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const bool last = k + 1 == order.size(), asked = wanted[order[k]];
    from_x[order[k]] = 1;
    if (!asked && (last || !wanted[order[k + 1]])) continue;
    const std::size_t next = last ? kX : composites.number(from_x, b);
    if (asked) steps_.push_back({order[k], here, next});
    here = next;
  }
}

void Walks::contributions(const std::function<double(std::size_t)>& answer, std::span<double> sum,
                          std::span<double> squares) const {
  if (plan_.all) {
    std::vector<double> worth(numbers_.size());
    std::transform(numbers_.begin(), numbers_.end(), worth.begin(), answer);
    const std::vector<double> values = shapley_values(players_.size(), worth);
    for (std::size_t i = 0; i < players_.size(); ++i) sum[players_[i]] += values[i];
    return;
  }
  std::vector<double> one(varying_);
  std::size_t at = 0;
  for (const std::size_t end : ends_) {
    std::fill(one.begin(), one.end(), 0.0);
    for (; at < end; ++at)
      one[steps_[at].player] += (answer(steps_[at].after) - answer(steps_[at].before)) / 2;
    for (const std::uint32_t player : players_) {
      sum[player] += one[player];
      squares[player] += one[player] * one[player];
    }
  }
}

}  // namespace mirrorball::shap
