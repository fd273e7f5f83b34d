#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/random.h"

namespace mirrorball {

/// Up to `most` of the values that come by, in one pass: those with the smallest keys, so that which are kept
/// depends neither on their order nor on how they are cut into blocks. With random keys, a fair sample.
template <class Value>
class Reservoir {
 public:
  explicit Reservoir(std::size_t most) : most_(most) {}

  /// Whether a value with this key may be among the kept ones; otherwise it need not be made.
  bool takes(std::uint64_t key) const { return key <= limit_; }

  void add(std::uint64_t key, Value value) {
    kept_.emplace_back(key, std::move(value));
    if (kept_.size() > 2 * most_) cut();
  }

  /// The values, in any order; none are left behind.
  std::vector<Value> take() {
    if (kept_.size() > most_) cut();
    std::vector<Value> values;
    values.reserve(kept_.size());
    for (auto& [key, value] : kept_) values.push_back(std::move(value));
    kept_.clear();
    return values;
  }

 private:
  void cut() {
    const auto middle = kept_.begin() + static_cast<std::ptrdiff_t>(most_);
    std::nth_element(kept_.begin(), middle, kept_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    limit_ = middle->first;
    kept_.erase(middle, kept_.end());
  }

  std::size_t most_;
  std::uint64_t limit_ = ~std::uint64_t{0};
  std::vector<std::pair<std::uint64_t, Value>> kept_;
};

/// A random key for a row of a table, by its number.
inline std::uint64_t row_key(std::uint64_t seed, Purpose purpose, std::uint32_t part, std::uint64_t row) {
  Stream random(seed, purpose, part, static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(row >> 32));
  const std::uint64_t high = random.bits();
  return high << 32 | random.bits();
}

}  // namespace mirrorball
