#pragma once

#include "engine/cuda/device/net.cuh"

/// The noise of a step: the random numbers of net/step_noise.h and net/noise_points.h, keyed in the same way.
namespace mirrorball::cuda {

/// As Purpose in base/random.h numbers them.
constexpr std::uint32_t kNoisePurpose = 3, kShiftPurpose = 4;
/// Largest float below 1.
constexpr float kBelowOne = 0x1.fffffep-1f;

/// base/random.h on the device: Philox4x32-10.
class Random {
 public:
  __device__ Random(std::uint64_t seed, std::uint32_t purpose, std::uint32_t a, std::uint32_t b,
                    std::uint32_t c)
      : k0_(static_cast<std::uint32_t>(seed) ^ (purpose * 0x9E3779B9u)),
        k1_(static_cast<std::uint32_t>(seed >> 32) ^ (purpose * 0x85EBCA6Bu)),
        a_(a),
        b_(b),
        c_(c) {}

  __device__ std::uint32_t bits() {
    if (used_ == 4) refill();
    const std::uint32_t value = used_ == 0 ? x0_ : used_ == 1 ? x1_ : used_ == 2 ? x2_ : x3_;
    ++used_;
    return value;
  }
  __device__ float uniform() { return static_cast<float>(bits() >> 8) * 0x1p-24f; }
  __device__ double uniform_double() {
    const std::uint64_t high = bits() >> 5, low = bits() >> 6;
    return static_cast<double>(high << 26 | low) * 0x1p-53;
  }
  /// To the number 4 four of the stream.
  __device__ void skip_to(std::uint32_t four) {
    counter_ = four;
    used_ = 4;
  }
  __device__ std::uint32_t below(std::uint32_t n) { return __umulhi(bits(), n); }

 private:
  __device__ void refill() {
    std::uint32_t x0 = counter_++, x1 = a_, x2 = b_, x3 = c_, k0 = k0_, k1 = k1_;
    for (int round = 0; round < 10; ++round) {
      const std::uint32_t high0 = __umulhi(0xD2511F53u, x0), low0 = 0xD2511F53u * x0;
      const std::uint32_t high1 = __umulhi(0xCD9E8D57u, x2), low1 = 0xCD9E8D57u * x2;
      x0 = high1 ^ x1 ^ k0;
      x1 = low1;
      x2 = high0 ^ x3 ^ k1;
      x3 = low0;
      k0 += 0x9E3779B9u;
      k1 += 0xBB67AE85u;
    }
    x0_ = x0, x1_ = x1, x2_ = x2, x3_ = x3;
    used_ = 0;
  }

  std::uint32_t k0_, k1_, a_, b_, c_, counter_ = 0;
  std::uint32_t x0_ = 0, x1_ = 0, x2_ = 0, x3_ = 0;
  int used_ = 4;
};

/// How a step draws its noise, and for whom.
struct NoisePlan {
  std::uint64_t seed;
  std::uint32_t network;
  int draws, grid, dims;
  bool stratified;
  const double* lattice;  ///< steps of the lattice; null where it is not used
};

__device__ inline float below_one(double value) { return fminf(static_cast<float>(value), kBelowOne); }

/// net::spread_points for `count` points.
__device__ inline void spread_points(const NoisePlan& plan, Random& random, int count, float* points) {
  if (plan.dims > 1 && plan.lattice) {
    // The shifts come first, all of them; then every dimension goes its way.
    for (int j = 0; j < plan.dims; ++j) {
      double at = random.uniform_double();
      for (int i = 0; i < count; ++i) {
        points[i * plan.dims + j] = below_one(at);
        at += plan.lattice[j];
        at -= floor(at);
      }
    }
  } else if (plan.dims > 1) {
    for (int i = 0; i < count * plan.dims; ++i) points[i] = random.uniform();
  } else {
    for (int i = 0; i < count; ++i)
      points[i] = below_one((static_cast<double>(i) + random.uniform_double()) / count);
  }
}

/// net::choose_rows.
__device__ inline void choose_rows(const NoisePlan& plan, Random& random, std::uint32_t* index) {
  const auto rows = static_cast<std::uint32_t>(plan.grid);
  if (!plan.stratified) {
    for (int n = 0; n < plan.draws; ++n) index[n] = random.below(rows);
  } else if (plan.dims > 1) {
    std::uint32_t row = random.below(rows);
    for (int n = 0; n < plan.draws; ++n) index[n] = row++ % rows;
  } else {
    for (int n = 0; n < plan.draws; ++n) {
      const std::uint32_t first = rows * n / plan.draws, end = rows * (n + 1) / plan.draws;
      index[n] = first + random.below(end - first);
    }
  }
}

/// The value of one noise feature of a point: cos(k pi a) for DN+, a itself for DISCO.
__device__ inline float noise_feature(const Net& net, const float* point, int f) {
  if (net.network != kDnPlus) return point[f];
  const float a = point[f / net.per_dim], k = static_cast<float>(f % net.per_dim);
  // k a in two parts: the second is what rounding took from the first.
  const float turns = k * a, rest = fmaf(k, a, -turns);
  return cospif(turns) - 3.14159265f * rest * sinpif(turns);
}

/// Coordinate j of point g of the noise table: net::grid_points.
__device__ inline float grid_point(const NoisePlan& plan, std::uint32_t number, int g, int j) {
  Random random(plan.seed, kShiftPurpose, plan.network, number, 0);
  if (plan.dims == 1) return below_one((static_cast<double>(g) + random.uniform_double()) / plan.grid);
  if (!plan.lattice) {
    for (int before = 0; before < g * plan.dims + j; ++before) random.bits();
    return random.uniform();
  }
  double at = 0;
  for (int dim = 0; dim <= j; ++dim) at = random.uniform_double();
  for (int point = 0; point < g; ++point) {
    at += plan.lattice[j];
    at -= floor(at);
  }
  return below_one(at);
}

/// The noise table's points and features, a block for each row of it; in the blocks behind them which rows of
/// the table each draw of the batch uses, a thread for each row of the batch.
__global__ void make_table(Net net, NoisePlan plan, const Now* now, float* points, float* features,
                           std::uint32_t* index) {
  const int g = static_cast<int>(blockIdx.x);
  if (g < plan.grid) {
    float* point = points + static_cast<std::size_t>(g) * plan.dims;
    for (int j = static_cast<int>(threadIdx.x); j < plan.dims; j += static_cast<int>(blockDim.x))
      point[j] = grid_point(plan, now->number, g, j);
    __syncthreads();
    for (int f = static_cast<int>(threadIdx.x); f < net.features; f += static_cast<int>(blockDim.x))
      features[static_cast<std::size_t>(g) * net.features + f] = noise_feature(net, point, f);
    return;
  }
  const int s = (g - plan.grid) * static_cast<int>(blockDim.x) + static_cast<int>(threadIdx.x);
  if (s >= now->rows) return;
  Random random(plan.seed, kNoisePurpose, plan.network, now->number, static_cast<std::uint32_t>(s));
  choose_rows(plan, random, index + static_cast<std::size_t>(s) * plan.draws);
}

/// The noise points of every draw where there is no table; a block for each row of the batch.
__global__ void choose_points(NoisePlan plan, const Now* now, float* points) {
  const int s = static_cast<int>(blockIdx.x);
  if (s >= now->rows) return;
  Random random(plan.seed, kNoisePurpose, plan.network, now->number, static_cast<std::uint32_t>(s));
  float* own = points + static_cast<std::size_t>(s) * plan.draws * plan.dims;
  if (plan.stratified) {
    if (threadIdx.x == 0) spread_points(plan, random, plan.draws, own);
    return;
  }
  for (int four = static_cast<int>(threadIdx.x); 4 * four < plan.draws * plan.dims;
       four += static_cast<int>(blockDim.x)) {
    random.skip_to(static_cast<std::uint32_t>(four));
    for (int i = 4 * four; i < min(4 * four + 4, plan.draws * plan.dims); ++i) own[i] = random.uniform();
  }
}

/// The features of `points_per_row` points for each row, a thread for each value.
__global__ void noise_features(Net net, Rows rows, int points_per_row, const float* points, float* features) {
  const int count = rows.get() * points_per_row * net.features;
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < count;
       i += static_cast<int>(gridDim.x * blockDim.x))
    features[i] =
        noise_feature(net, points + static_cast<std::size_t>(i / net.features) * net.dims, i % net.features);
}

}  // namespace mirrorball::cuda
