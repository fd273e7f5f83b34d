#include "model/pool_draws.h"

#include <algorithm>

#include "base/random.h"
#include "net/noise_points.h"
#include "net/sampler.h"

namespace mirrorball {

std::vector<float> network_draws(const Model::Parts& parts, const EncodedRows& inputs,
                                 std::span<const std::uint32_t> which, std::size_t draws, std::uint64_t seed,
                                 ThreadPool& pool) {
  const std::size_t members = parts.weights.size(), targets = parts.targets.size();
  std::vector<float> all(which.size() * targets * draws);
  for (std::size_t member = 0; member < members; ++member) {
    const std::size_t first = draws * member / members, own = draws * (member + 1) / members - first;
    if (own == 0) continue;
    std::vector<float> points(own * parts.shape.noise_dim);
    Stream random(seed, Purpose::kPredict, static_cast<std::uint32_t>(member + 1));
    if (!points.empty()) spread_points(random, parts.shape.noise_dim, points);
    NetSampler sampler(parts.shape, parts.layout, own, pool);
    sampler.run(parts.weights[member].data(), points, inputs, which,
                [&](std::size_t row, const float* z, unsigned) {
                  for (std::size_t t = 0; t < targets; ++t)
                    std::copy_n(z + t * own, own, all.data() + (row * targets + t) * draws + first);
                });
  }
  return all;
}

}  // namespace mirrorball
