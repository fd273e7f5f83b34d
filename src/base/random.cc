#include "base/random.h"

#include <cmath>
#include <numbers>

namespace mirrorball {

void Stream::refill() {
  std::array<std::uint32_t, 4> x = counter_;
  std::uint32_t k0 = key_[0], k1 = key_[1];
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xD2511F53u} * x[0], p1 = std::uint64_t{0xCD9E8D57u} * x[2];
    x = {static_cast<std::uint32_t>(p1 >> 32) ^ x[1] ^ k0, static_cast<std::uint32_t>(p1),
         static_cast<std::uint32_t>(p0 >> 32) ^ x[3] ^ k1, static_cast<std::uint32_t>(p0)};
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  block_ = x;
  ++counter_[0];
  used_ = 0;
}

double Stream::normal() {
  const double radius = std::sqrt(-2.0 * std::log1p(-uniform_double()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform_double());
}

}  // namespace mirrorball
