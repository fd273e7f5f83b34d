#include "boost/bins.h"

#include <algorithm>

namespace mirrorball::boost {
namespace {

/// Between two neighbouring values, and never at the upper one.
float middle(float low, float high) {
  const float between = low + (high - low) / 2;
  return between < high ? between : low;
}

}  // namespace

std::vector<float> cuts_of(std::vector<float> values) {
  std::ranges::sort(values);
  std::size_t distinct = 1;
  for (std::size_t i = 1; i < values.size(); ++i) distinct += values[i] != values[i - 1];
  const std::size_t step = distinct <= kMostBins ? 1 : values.size() / kMostBins + 1;
  std::vector<float> cuts;
  std::size_t begin = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (values[i] == values[i - 1] || i - begin < step) continue;
    cuts.push_back(middle(values[i - 1], values[i]));
    begin = i;
  }
  return cuts;
}

std::uint8_t bin_of(std::span<const float> cuts, float value) {
  return static_cast<std::uint8_t>(std::ranges::lower_bound(cuts, value) - cuts.begin());
}

}  // namespace mirrorball::boost
