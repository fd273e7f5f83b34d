#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>

#include "engine/engine.h"

namespace mirrorball::model {

/// Keeps the last few embedded noises of one model, each for one number of draws and one seed. A prediction
/// of one row would spend a third of its time on it. Safe to use from several threads.
class NoiseCache {
 public:
  std::shared_ptr<const engine::EmbeddedNoise> find(std::size_t draws, std::uint64_t seed);
  /// Kept only where it is small.
  void keep(std::size_t draws, std::uint64_t seed, std::shared_ptr<const engine::EmbeddedNoise> noise);

 private:
  struct Entry {
    std::size_t draws;
    std::uint64_t seed;
    std::shared_ptr<const engine::EmbeddedNoise> noise;
  };

  std::mutex lock_;
  std::list<Entry> entries_;  ///< the one used last comes first
};

}  // namespace mirrorball::model
