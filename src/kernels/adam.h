#pragma once

#include <cstddef>
#include <span>

namespace mirrorball::kernels {

/// One step of Adam (Kingma & Ba 2015) with the gradient summed over shards in their order, and the running
/// average of the weights beside it:
///
///   g = sum over shards; m = b1 m + (1 - b1) g; v = b2 v + (1 - b2) g^2
///   w <- w - rate / (1 - b1^t) * m / (sqrt(v / (1 - b2^t)) + 1e-8)
///   average <- d average + (1 - d) w
struct AdamStep {
  float rate = 0, beta1 = 0, beta2 = 0;
  float correction1 = 1, correction2 = 1;  ///< 1 - b1^t, 1 - b2^t
  float decay = 0;                         ///< d of the average
};

struct AdamState {
  float *weight, *mean, *square, *average;  ///< average may be null
};

/// Parameters [begin, end), both multiples of kPadding.
void adam(const AdamStep& step, const AdamState& state, std::span<const float* const> shards,
          std::size_t begin, std::size_t end);

}  // namespace mirrorball::kernels
