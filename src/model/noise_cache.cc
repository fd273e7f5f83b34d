#include "model/noise_cache.h"

#include <algorithm>

namespace mirrorball::model {
namespace {

constexpr std::size_t kEntries = 4, kMostDraws = 10'000;

}  // namespace

std::shared_ptr<const engine::EmbeddedNoise> NoiseCache::find(std::size_t draws, std::uint64_t seed) {
  const std::lock_guard hold(lock_);
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.draws == draws && entry.seed == seed;
  });
  if (found == entries_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found);
  return found->noise;
}

void NoiseCache::keep(std::size_t draws, std::uint64_t seed,
                      std::shared_ptr<const engine::EmbeddedNoise> noise) {
  if (draws > kMostDraws) return;
  const std::lock_guard hold(lock_);
  entries_.push_front({draws, seed, std::move(noise)});
  if (entries_.size() > kEntries) entries_.pop_back();
}

}  // namespace mirrorball::model
