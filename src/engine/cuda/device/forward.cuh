#pragma once

#include "engine/cuda/device/net.cuh"

/// The way forward beside its products: waves, the first layer's inputs, the merge with the noise, the head.
namespace mirrorball::cuda {

/// Rows that a block embeds together, each weight of a mixture read once for several of them, and numbers of
/// theirs, so that their waves fit into 32 KB.
constexpr int kInputRows = 8, kInputThreads = 256;

__host__ __device__ inline int wave_group(const Net& net) {
  constexpr int kWaves = 1024;
  return net.waves == 0 ? net.numbers : max(1, kWaves / (2 * net.waves));
}

/// Bytes of shared memory that `make_inputs` needs.
inline std::size_t inputs_space(const Net& net) {
  return sizeof(float) * kInputRows * wave_group(net) * 2 * net.waves;
}

/// What the first layer's weights act on: the numbers, then m[j] = relu(w[j] W[j] + b[j]) of each, with its
/// waves
///   w[s][j] = [a[k] cos(2 pi f[j][k] x[s][j])]_k , [a[k] sin(…)]_k      (kernels/periodic.h)
/// Block (i, y) has the y-th group of numbers of rows kInputRows i and on. `waves`, where not null, keeps the
/// waves.
__global__ void __launch_bounds__(kInputThreads)
    make_inputs(Net net, Rows rows, Inputs inputs, const float* weights, float* waves, float* to) {
  extern __shared__ float own[];  // waves of the group, row after row
  const int first_row = static_cast<int>(blockIdx.x) * kInputRows, size = wave_group(net),
            first = static_cast<int>(blockIdx.y) * size, some = min(kInputRows, rows.get() - first_row);
  if (some <= 0) return;
  const int count = min(size, net.numbers - first), pair = 2 * net.waves, mix_stride = net.mix_stride(),
            thread = static_cast<int>(threadIdx.x);
  const auto number = [&](int s, int j) {
    return inputs.numbers[inputs.row(first_row + s) * net.numbers + first + j];
  };
  for (int i = thread; i < some * count * net.waves; i += kInputThreads) {
    const int s = i / (count * net.waves), j = i / net.waves % count, k = i % net.waves;
    const float turns = 2.0f * weights[net.frequency + (first + j) * net.wave_stride() + k] * number(s, j);
    const float amplitude = weights[net.amplitude + k];
    float cosine, sine;
    sincospif(turns, &sine, &cosine);
    float* at = own + (s * count + j) * pair;
    at[k] = amplitude * cosine;
    at[net.waves + k] = amplitude * sine;
  }
  for (int i = thread; i < some * count; i += kInputThreads)
    to[static_cast<std::size_t>(first_row + i / count) * net.inputs + first + i % count] =
        number(i / count, i % count);
  if (net.waves == 0) return;
  __syncthreads();
  if (waves)
    for (int i = thread; i < some * count * pair; i += kInputThreads) {
      const int s = i / (count * pair);
      waves[(static_cast<std::size_t>(first_row + s) * net.numbers + first) * pair + i % (count * pair)] =
          own[i];
    }
  constexpr int kAtOnce = 2;  // rows
  for (int i = thread; i < kInputRows / kAtOnce * count * kMixtures; i += kInputThreads) {
    const int s = i / (count * kMixtures) * kAtOnce, of_row = i % (count * kMixtures), j = of_row / kMixtures,
              m = first * kMixtures + of_row;
    const float* mix = weights + net.wave_weight + static_cast<std::size_t>(first + j) * pair * mix_stride +
                       of_row % kMixtures;
    float sum[kAtOnce];
#pragma unroll
    for (float& one : sum) one = weights[net.wave_bias + m];
#pragma unroll 16
    for (int k = 0; k < pair; ++k) {
      const float weight = mix[k * mix_stride];
#pragma unroll
      for (int r = 0; r < kAtOnce; ++r) sum[r] = fmaf(own[((s + r) * count + j) * pair + k], weight, sum[r]);
    }
#pragma unroll
    for (int r = 0; r < kAtOnce; ++r)
      if (s + r < some)
        to[static_cast<std::size_t>(first_row + s + r) * net.inputs + net.numbers + m] = fmaxf(sum[r], 0.0f);
  }
}

/// Ends the first layer: learned rows and bias are added; DN+ and the network without noise activate.
struct FinishPsi {
  Net net;
  Inputs inputs;
  const float* weights;
  float *psi, *slope;  ///< slope may be null

  __device__ void operator()(int s, int j, float sum) const {
    sum += weights[net.input_bias + j];
#pragma unroll 1
    for (int c = 0; c < net.codes; ++c) {
      const std::int32_t code = inputs.codes[inputs.row(s) * net.codes + c];
      if (code >= 0) sum += weights[net.learned + static_cast<std::size_t>(code) * net.stride + j];
    }
    const std::size_t at = static_cast<std::size_t>(s) * net.stride + j;
    const Activated out = net.network != kDisco ? activate(net.input_act, sum) : Activated{sum, 1.0f};
    psi[at] = out.value;
    if (slope) slope[at] = out.slope;
  }
};

/// Ends a hidden layer, or the embedding of the noise: act(sum + bias).
struct FinishLayer {
  int act, stride;
  const float* bias;  ///< may be null
  float *h, *slope;   ///< slope may be null

  __device__ void operator()(int line, int j, float sum) const {
    const std::size_t at = static_cast<std::size_t>(line) * stride + j;
    const Activated out = activate(act, bias ? sum + bias[j] : sum);
    h[at] = out.value;
    if (slope) slope[at] = out.slope;
  }
};

/// Which row of the noise table a line uses: index[line], or its number among its row's draws.
struct LineNoise {
  const float* table;
  const std::uint32_t* index;  ///< null: draw n uses row n
  int draws;
  __device__ std::size_t row(int line) const {
    return index ? index[line] : static_cast<std::size_t>(line % draws);
  }
};

/// u = psi * phi for DN+, act(psi + phi) for DISCO (kernels/merge.h).
__global__ void merge(Net net, Rows rows, LineNoise noise, const float* psi, float* u, float* slope) {
  const std::size_t count = static_cast<std::size_t>(rows.get()) * noise.draws * net.width;
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < count;
       i += static_cast<std::size_t>(gridDim.x) * blockDim.x) {
    const int j = static_cast<int>(i % net.width), line = static_cast<int>(i / net.width);
    const float p = psi[static_cast<std::size_t>(line / noise.draws) * net.stride + j];
    const float phi = noise.table[noise.row(line) * net.stride + j];
    const std::size_t at = static_cast<std::size_t>(line) * net.stride + j;
    const Activated out = net.network == kDnPlus ? Activated{p * phi, 1.0f} : activate(net.act, p + phi);
    u[at] = out.value;
    if (slope) slope[at] = out.slope;
  }
}

/// Where the draws go: draw n of target t of row s.
struct DrawPlaces {
  float* y;
  std::size_t row, target, draw;  ///< strides
  __device__ float& at(int s, int t, int n) const { return y[s * row + t * target + n * draw]; }
};

/// The sum over a warp, the same in all its lanes.
__device__ inline float warp_sum(float value) {
  for (int lane = 16; lane > 0; lane /= 2) value += __shfl_xor_sync(~0u, value, lane);
  return value;
}

/// y = Wo h + bo; a warp for each line.
__global__ void head(Net net, Rows rows, int draws, const float* weights, const float* h, DrawPlaces to) {
  const int lines = rows.get() * draws, lane = threadIdx.x % 32,
            warps = static_cast<int>(gridDim.x * blockDim.x / 32);
  for (int line = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32); line < lines; line += warps)
    for (int t = 0; t < net.targets; ++t) {
      float sum = 0;
      for (int j = lane; j < net.width; j += 32)
        sum = fmaf(h[static_cast<std::size_t>(line) * net.stride + j],
                   weights[net.output_weight + static_cast<std::size_t>(t) * net.stride + j], sum);
      sum = warp_sum(sum);
      if (lane == 0) to.at(line / draws, t, line % draws) = sum + weights[net.output_bias + t];
    }
}

}  // namespace mirrorball::cuda
