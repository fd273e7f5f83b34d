#include "neighbours/neighbours.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/normal.h"
#include "base/random.h"
#include "base/weighted_quantiles.h"
#include "kernels/near.h"

namespace mirrorball::neighbours {
namespace {

constexpr std::size_t kBlock = kernels::kNearBlock;

void check_finite(std::span<const float> numbers, const char* what) {
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (!std::isfinite(numbers[i])) bad_input("{} {} of the neighbours is not a finite number", what, i);
}

}  // namespace

// The kNearest-th least of the blocks' least distances is a bound: so many blocks have a row within it. Few
// rows are left to be sorted.
std::span<const Neighbours::Near> Neighbours::nearest(std::span<const float, kDims> z, std::int32_t without,
                                                      Scratch& scratch) const {
  const std::size_t count = rows(), blocks = (count + kBlock - 1) / kBlock;
  scratch.distances.resize(count);
  scratch.block_least.resize(blocks);
  for (std::size_t b = 0; b < blocks; ++b) {
    const std::size_t begin = b * kBlock, size = std::min(kBlock, count - begin);
    scratch.block_least[b] = kernels::block_distances(places.data(), count, begin, begin + size, z.data(),
                                                      scratch.distances.data() + begin);
  }
  float bound = std::numeric_limits<float>::infinity();
  constexpr std::size_t kWanted = kNearest + 1;  // one of them may be left out
  if (blocks > kWanted) {
    std::vector<float> least = scratch.block_least;
    std::nth_element(least.begin(), least.begin() + (kWanted - 1), least.end());
    bound = least[kWanted - 1];
  }
  std::vector<Near>& near = scratch.near;
  near.clear();
  for (std::size_t b = 0; b < blocks; ++b) {
    if (scratch.block_least[b] > bound) continue;
    for (std::size_t i = b * kBlock; i < std::min(count, (b + 1) * kBlock); ++i)
      if (scratch.distances[i] <= bound && static_cast<std::int32_t>(i) != without)
        near.push_back({scratch.distances[i], static_cast<std::int32_t>(i)});
  }
  const std::size_t kept = std::min(kNearest, near.size());
  std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(kept), near.end(),
                    [](const Near& a, const Near& b) {
                      return a.distance != b.distance ? a.distance < b.distance : a.row < b.row;
                    });
  near.resize(kept);
  return near;
}

void Neighbours::quantiles(std::span<const Near> near, std::span<const float> means, std::span<float> out,
                           Scratch& scratch) const {
  scratch.draws.clear();
  double total = 0;
  for (const Near& one : near) {
    const auto row = static_cast<std::size_t>(one.row);
    const double beyond = static_cast<double>(one.distance - near[0].distance);
    const float weight =
        static_cast<float>(std::exp(-way.sharpness * beyond)) * (weights.empty() ? 1.0f : weights[row]);
    total += static_cast<double>(weight);
    scratch.draws.push_back({values[row * targets], weight, one.row});
  }
  const std::size_t count = out.size() / targets;
  each_quantile(std::span(scratch.draws), total, count, [&](std::size_t k, const Scratch::Draw& draw) {
    const float* own = values.data() + static_cast<std::size_t>(draw.row) * targets;
    for (std::size_t t = 0; t < targets; ++t) out[t * count + k] = own[t] + (way.errors ? means[t] : 0.0f);
  });
  if (!way.noise.empty()) add_noise(out, scratch);
}

/// Each target has the normal quantiles at levels (k + 1/2) / K in an order of its own.
void Neighbours::add_noise(std::span<float> draws, Scratch& scratch) const {
  const std::size_t count = draws.size() / targets;
  if (scratch.normal.size() != draws.size() || scratch.normal_targets != targets) {
    scratch.normal.clear();
    scratch.normal_targets = targets;
    for (std::uint32_t t = 0; t < targets; ++t) {
      std::vector<float> own;
      for (std::size_t k = 0; k < count; ++k)
        own.push_back(
            static_cast<float>(normal_quantile((static_cast<double>(k) + 0.5) / static_cast<double>(count))));
      Stream random(0, Purpose::kNeighbours, 2, t);
      shuffle(own, random);
      scratch.normal.insert(scratch.normal.end(), own.begin(), own.end());
    }
  }
  for (std::size_t t = 0; t < targets; ++t)
    for (std::size_t k = t * count; k < (t + 1) * count; ++k)
      draws[k] += static_cast<float>(way.noise[t]) * scratch.normal[k];
}

void Neighbours::quantiles(std::span<const float> numbers, std::span<const std::int32_t> codes,
                           std::span<const float> means, std::span<float> out, Scratch& scratch) const {
  std::array<float, kDims> z;
  metric.place(numbers, codes, z);
  quantiles(nearest(z, kNobody, scratch), means, out, scratch);
}

void Neighbours::check(std::size_t numbers, std::size_t learned_rows) const {
  if (rows() == 0 || places.size() != rows() * kDims || values.size() != rows() * targets ||
      (!weights.empty() && weights.size() != rows()) || metric.numbers.size() != numbers * kDims ||
      metric.codes.size() != learned_rows * kDims)
    bad_input("its neighbours are inconsistent: {} places, {} values of {} targets, a metric of {} numbers",
              places.size(), values.size(), targets, metric.numbers.size());
  if (!(way.sharpness > 0 && way.sharpness <= 1e6))
    bad_input("its neighbours have the sharpness {}, outside the range 0 to 1e6", way.sharpness);
  if (!way.noise.empty() && way.noise.size() != targets)
    bad_input("its neighbours have noise for {} of {} targets", way.noise.size(), targets);
  for (const double noise : way.noise)
    if (!(noise >= 0 && noise <= 1e6))
      bad_input("its neighbours have the noise {}, outside the range 0 to 1e6", noise);
  check_finite(metric.numbers, "number");
  check_finite(metric.codes, "code");
  check_finite(places, "coordinate");
  check_finite(values, "value");
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (!(weights[i] > 0 && std::isfinite(weights[i])))
      bad_input("weight {} of the neighbours is not positive", i);
}

}  // namespace mirrorball::neighbours
