#include "model/pool_draws.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "base/random.h"
#include "net/noise_points.h"
#include "net/sampler.h"

namespace mirrorball {
namespace {

std::vector<float> noise_points_of(const Model::Parts& parts, std::size_t member, std::size_t count,
                                   std::uint64_t seed) {
  std::vector<float> points(count * parts.shape.noise_dim);
  Stream random(seed, Purpose::kPredict, static_cast<std::uint32_t>(member + 1));
  if (!points.empty()) spread_points(random, parts.shape.noise_dim, points);
  return points;
}

}  // namespace

std::vector<float> network_draws(const Model::Parts& parts, const EncodedRows& inputs,
                                 std::span<const std::uint32_t> which, std::size_t draws, std::uint64_t seed,
                                 ThreadPool& pool, NoiseCache* cache) {
  const std::size_t members = parts.weights.size(), targets = parts.targets.size();
  const std::shared_ptr<const EmbeddedNoise> known = cache ? cache->find(draws, seed) : nullptr;
  const auto fresh = known ? nullptr : std::make_shared<EmbeddedNoise>(members);
  std::vector<float> all(which.size() * targets * draws);
  std::optional<NetSampler> sampler;  // serves all networks with the same number of draws
  for (std::size_t member = 0; member < members; ++member) {
    const std::size_t first = draws * member / members, own = draws * (member + 1) / members - first;
    if (own == 0) continue;
    if (!sampler || sampler->draws() != own) sampler.emplace(parts.shape, parts.layout, own, pool);
    const float* weights = parts.weights[member].data();
    if (fresh) (*fresh)[member] = sampler->embed(weights, noise_points_of(parts, member, own, seed));
    sampler->run(weights, (known ? *known : *fresh)[member].data(), inputs, which,
                 [&](std::size_t row, const float* z, unsigned) {
                   for (std::size_t t = 0; t < targets; ++t)
                     std::copy_n(z + t * own, own, all.data() + (row * targets + t) * draws + first);
                 });
  }
  if (cache && fresh) cache->keep(draws, seed, fresh);
  return all;
}

}  // namespace mirrorball
