#include "model/pool_draws.h"

#include <memory>

#include "base/random.h"
#include "net/noise_points.h"

namespace mirrorball::model {
namespace {

engine::NoisePoints noise_points(const Model::Parts& parts, std::size_t network, std::size_t count,
                                 std::uint64_t seed) {
  const std::size_t dims = parts.shape.noise_dim;
  engine::NoisePoints points{count, std::vector<float>(count * dims)};
  Stream random(seed, Purpose::kPredict, static_cast<std::uint32_t>(network + 1));
  if (points.values.empty()) return points;
  if (parts.plan.prediction_noise == PredictionNoise::kIndependent)
    net::independent_points(random, points.values);
  else
    net::spread_points(random, dims, points.values);
  return points;
}

std::unique_ptr<engine::EmbeddedNoise> embed(const Model::Parts& parts, const engine::DrawEngine& drawer,
                                             std::size_t networks, std::size_t draws, std::uint64_t seed) {
  std::vector<engine::NoisePoints> points;
  for (std::size_t i = 0; i < networks; ++i)
    points.push_back(
        noise_points(parts, i, first_draw(i + 1, networks, draws) - first_draw(i, networks, draws), seed));
  return drawer.embed(points);
}

}  // namespace

Buffer<float> network_draws(const Model::Parts& parts, const engine::DrawEngine& drawer, std::size_t networks,
                            const rows::RowStore& rows, std::span<const rows::RowNumber> which,
                            std::size_t draws, std::uint64_t seed, ThreadPool& pool, NoiseCache* cache) {
  std::shared_ptr<const engine::EmbeddedNoise> noise = cache ? cache->find(draws, seed) : nullptr;
  if (!noise) {
    noise = embed(parts, drawer, networks, draws, seed);
    if (cache) cache->keep(draws, seed, noise);
  }
  return drawer.draw(*noise, rows, which, pool);
}

}  // namespace mirrorball::model
