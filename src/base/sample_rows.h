#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "base/random.h"

namespace mirrorball {

/// Moves one of the values from `place` on, chosen at random, to this place.
template <class Value>
void choose_next(std::vector<Value>& values, std::size_t place, Stream& random) {
  std::swap(values[place], values[place + random.below(static_cast<std::uint32_t>(values.size() - place))]);
}

/// Moves `count` of the values, chosen at random, to the front.
template <class Value>
void choose_first(std::vector<Value>& values, std::size_t count, Stream& random) {
  for (std::size_t i = 0; i < count; ++i) choose_next(values, i, random);
}

/// `most` of `rows` row numbers, in order; all of them where there are no more.
inline std::vector<std::size_t> sample_rows(std::size_t rows, std::size_t most, Stream random) {
  std::vector<std::size_t> all(rows);
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (rows <= most) return all;
  choose_first(all, most, random);
  all.resize(most);
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace mirrorball
