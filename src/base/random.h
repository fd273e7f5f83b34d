#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace mirrorball {

/// What a random stream is for. Streams of different purposes never overlap.
enum class Purpose : std::uint32_t {
  kInit,
  kShuffle,
  kSplit,
  kNoise,
  kShift,
  kValidation,
  kPredict,
  kData,
  kTest,
  kForest,
  kExplain,
  kLaw,
  kBackground,
  kFolds,
  kTies,
  kBootstrap,
  kProcess,
  kSample,
  kBoost,
  kNeighbours
};

/// A counter-based generator (Philox4x32-10, Salmon et al. 2011): the numbers depend on the key alone, so any
/// thread can produce any part of the sequence. Keyed by (seed, purpose, a, b, c).
class Stream {
 public:
  Stream(std::uint64_t seed, Purpose purpose, std::uint32_t a = 0, std::uint32_t b = 0, std::uint32_t c = 0)
      : key_{static_cast<std::uint32_t>(seed) ^ (static_cast<std::uint32_t>(purpose) * 0x9E3779B9u),
             static_cast<std::uint32_t>(seed >> 32) ^ (static_cast<std::uint32_t>(purpose) * 0x85EBCA6Bu)},
        counter_{0, a, b, c} {}

  std::uint32_t bits() {
    if (used_ == 4) refill();
    return block_[used_++];
  }

  /// Uniform in [0, 1) with 24 bits.
  float uniform() { return static_cast<float>(bits() >> 8) * 0x1p-24f; }

  /// Uniform in [0, 1) with 53 bits.
  double uniform_double() {
    const std::uint64_t high = bits() >> 5, low = bits() >> 6;
    return static_cast<double>(high << 26 | low) * 0x1p-53;
  }

  /// Uniform integer in [0, n), n > 0. The bias of n / 2^32 is below anything visible here.
  std::uint32_t below(std::uint32_t n) {
    return static_cast<std::uint32_t>((std::uint64_t{bits()} * n) >> 32);
  }

  /// Standard normal (Box-Muller, one of the pair).
  double normal();

 private:
  void refill();

  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> counter_;
  std::array<std::uint32_t, 4> block_{};
  int used_ = 4;
};

/// Every order is as likely as any other (Fisher and Yates, from the end).
template <class Value>
void shuffle(std::vector<Value>& values, Stream& random) {
  for (std::size_t i = values.size(); i > 1; --i)
    std::swap(values[i - 1], values[random.below(static_cast<std::uint32_t>(i))]);
}

}  // namespace mirrorball
