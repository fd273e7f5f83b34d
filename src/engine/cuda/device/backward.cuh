#pragma once

#include <algorithm>

#include "engine/cuda/device/forward.cuh"

/// The way back beside its products. Every sum runs in a fixed order, so that the same step gives the same
/// bits.
namespace mirrorball::cuda {

/// d[line][j] = slope sum_t dy[line][t] Wo[t][j].
__global__ void head_backward(Net net, Rows rows, int draws, const float* weights, const float* dy,
                              const float* slope, float* d) {
  const std::size_t count = static_cast<std::size_t>(rows.get()) * draws * net.width;
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < count;
       i += static_cast<std::size_t>(gridDim.x) * blockDim.x) {
    const std::size_t line = i / net.width, j = i % net.width;
    float sum = 0;
    for (int t = 0; t < net.targets; ++t)
      sum = fmaf(dy[line * net.targets + t],
                 weights[net.output_weight + static_cast<std::size_t>(t) * net.stride + j], sum);
    d[line * net.stride + j] = sum * slope[line * net.stride + j];
  }
}

constexpr int kLanes = 8, kHeadThreads = 32 * kLanes;

/// dWo[t][j] = sum over the lines of dy[t] h[j], and dbo; block (x, part) has 32 columns and its share of the
/// rows.
__global__ void head_gradient(Net net, Rows rows, int draws, const float* dy, const float* h,
                              float* gradient) {
  __shared__ float sums[kLanes][33];
  const int part = static_cast<int>(blockIdx.y), parts = static_cast<int>(gridDim.y), count = rows.get();
  const int first = count * part / parts * draws, end = count * (part + 1) / parts * draws;
  const int x = threadIdx.x % 32, lane = threadIdx.x / 32, j = static_cast<int>(blockIdx.x) * 32 + x;
  float* own = gradient + part * net.size;
  for (int t = 0; t < net.targets; ++t) {
    float sum = 0, bias = 0;
    for (int line = first + lane; line < end; line += kLanes) {
      const float slope = dy[static_cast<std::size_t>(line) * net.targets + t];
      if (j < net.width) sum = fmaf(slope, h[static_cast<std::size_t>(line) * net.stride + j], sum);
      bias += slope;
    }
    for (int what = 0; what < 2; ++what) {
      sums[lane][x] = what == 0 ? sum : bias;
      __syncthreads();
      if (lane == 0) {
        float all = 0;
        for (int i = 0; i < kLanes; ++i) all += sums[i][x];
        if (what == 0 && j < net.width)
          own[net.output_weight + static_cast<std::size_t>(t) * net.stride + j] = all;
        if (what == 1 && j == 0) own[net.output_bias + t] = all;
      }
      __syncthreads();
    }
  }
}

/// Ends a product back: times the slope of the layer that it arrives at, where there is one.
struct FinishBack {
  int stride;
  const float* slope;  ///< may be null
  float* d;
  __device__ void operator()(int line, int j, float sum) const {
    const std::size_t at = static_cast<std::size_t>(line) * stride + j;
    d[at] = slope ? sum * slope[at] : sum;
  }
};

/// dpsi[s] = sum over the draws of du times phi (DN+) or 1, times the slope of psi.
__global__ void merge_backward(Net net, Rows rows, LineNoise noise, const float* du, const float* slope,
                               float* dpsi) {
  const int count = rows.get() * net.width;
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < count;
       i += static_cast<int>(gridDim.x * blockDim.x)) {
    const int s = i / net.width, j = i % net.width;
    float sum = 0;
    for (int n = 0; n < noise.draws; ++n) {
      const int line = s * noise.draws + n;
      const float d = du[static_cast<std::size_t>(line) * net.stride + j];
      sum = net.network == kDnPlus ? fmaf(d, noise.table[noise.row(line) * net.stride + j], sum) : sum + d;
    }
    const std::size_t at = static_cast<std::size_t>(s) * net.stride + j;
    dpsi[at] = net.network == kDnPlus ? sum * slope[at] : sum;
  }
}

/// dphi[g] = sum over the lines that use row g of du times psi (DN+) or 1, times the slope of phi. A block
/// for each row of the noise table, whose warps have a share of the lines each.
constexpr int kNoiseThreads = 512, kNoiseWarps = kNoiseThreads / 32, kNoiseColumns = 128;

__global__ void __launch_bounds__(kNoiseThreads)
    table_gradient(Net net, Rows rows, LineNoise noise, const float* du, const float* psi, const float* slope,
                   float* dphi) {
  __shared__ float sums[kNoiseWarps][kNoiseColumns];
  const int lines = rows.get() * noise.draws, lane = static_cast<int>(threadIdx.x) % 32,
            warp = static_cast<int>(threadIdx.x) / 32;
  const auto g = static_cast<std::uint32_t>(blockIdx.x);
  const int share = (lines + kNoiseThreads - 1) / kNoiseThreads * 32, begin = warp * share,
            end = min(lines, begin + share);
  for (int col = 0; col < net.width; col += kNoiseColumns) {
    float sum[kNoiseColumns / 32] = {};
    for (int first = begin; first < end; first += 32) {
      unsigned own = __ballot_sync(~0u, first + lane < end && noise.index[first + lane] == g);
      for (; own != 0; own &= own - 1) {
        const int line = first + __ffs(own) - 1;
        const float* d = du + static_cast<std::size_t>(line) * net.stride;
        const float* p = psi + static_cast<std::size_t>(line / noise.draws) * net.stride;
#pragma unroll
        for (int i = 0; i < kNoiseColumns / 32; ++i)
          if (const int j = col + lane + 32 * i; j < net.width)
            sum[i] = net.network == kDnPlus ? fmaf(d[j], p[j], sum[i]) : sum[i] + d[j];
      }
    }
#pragma unroll
    for (int i = 0; i < kNoiseColumns / 32; ++i) sums[warp][lane + 32 * i] = sum[i];
    __syncthreads();
    if (const int x = static_cast<int>(threadIdx.x), j = col + x; x < kNoiseColumns && j < net.width) {
      float all = 0;
      for (int i = 0; i < kNoiseWarps; ++i) all += sums[i][x];
      const std::size_t at = static_cast<std::size_t>(g) * net.stride + j;
      dphi[at] = net.network == kDnPlus ? all * slope[at] : all;
    }
    __syncthreads();
  }
}

/// The same where every line has a row of phi of its own.
__global__ void own_noise_gradient(Net net, Rows rows, int draws, const float* du, const float* psi,
                                   const float* slope, float* dphi) {
  const std::size_t count = static_cast<std::size_t>(rows.get()) * draws * net.width;
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < count;
       i += static_cast<std::size_t>(gridDim.x) * blockDim.x) {
    const std::size_t line = i / net.width, j = i % net.width, at = line * net.stride + j;
    dphi[at] = net.network == kDnPlus ? du[at] * psi[line / draws * net.stride + j] * slope[at] : du[at];
  }
}

/// Gradient of the learned rows. A block for each code of each row; the first of several equal ones does the
/// sum of all of them.
__global__ void learned_gradient(Net net, Rows rows, Inputs inputs, const float* dpsi, float* gradient) {
  const int entries = rows.get() * net.codes, entry = static_cast<int>(blockIdx.x);
  if (entry >= entries) return;
  const auto code_of = [&](int e) {
    return inputs.codes[inputs.row(e / net.codes) * net.codes + e % net.codes];
  };
  const std::int32_t code = code_of(entry);
  if (code < 0) return;
  bool before = false;
  for (int e = static_cast<int>(threadIdx.x); e < entry; e += static_cast<int>(blockDim.x))
    before |= code_of(e) == code;
  if (__syncthreads_or(before)) return;
  for (int j = static_cast<int>(threadIdx.x); j < net.width; j += static_cast<int>(blockDim.x)) {
    float sum = 0;
    for (int e = entry; e < entries; ++e)
      if (code_of(e) == code) sum += dpsi[static_cast<std::size_t>(e / net.codes) * net.stride + j];
    gradient[net.learned + static_cast<std::size_t>(code) * net.stride + j] = sum;
  }
}

/// From psi to the waves' parameters; block (j, part) has number j and its share of the rows, some of them at
/// a time in shared memory. The mixtures m of number j, whose activation is relu, enter by the rows Wm of the
/// first layer's weights:
///   dm[s][j][o] = relu' sum_c dpsi[s][c] Wm[j][o][c]
///   dW[j][k][o] = sum_s w[s][j][k] dm[s][j][o],  db[j][o] = sum_s dm[s][j][o]
///   df[j][k] = sum_s 2 pi x[s][j] (dw_sin[k] w_cos[k] - dw_cos[k] w_sin[k]),  dw[k] = sum_o dm[o] W[j][k][o]
constexpr int kWaveThreads = 512;

/// Floats of shared memory for a row, and for the weights; rows of Wm and dpsi lie in different banks.
__host__ __device__ inline int wave_pitch(const Net& net) { return net.stride + 4; }
inline int wave_row_floats(const Net& net) { return 3 * net.waves + kMixtures + wave_pitch(net); }
inline int wave_weight_floats(const Net& net) { return kMixtures * (2 * net.waves + wave_pitch(net)); }

/// Rows at a time: as many as fit into 48 KB, which every block may have, beside the weights.
inline int wave_rows(const Net& net) {
  constexpr int kFloats = 12 * 1024, kMostRows = 32;
  return std::clamp((kFloats - wave_weight_floats(net)) / wave_row_floats(net), 1, kMostRows);
}

/// Bytes of shared memory that `wave_gradient` needs.
inline std::size_t wave_space(const Net& net) {
  return sizeof(float) *
         (static_cast<std::size_t>(wave_rows(net)) * wave_row_floats(net) + wave_weight_floats(net));
}

__global__ void __launch_bounds__(kWaveThreads)
    wave_gradient(Net net, Rows rows, Inputs inputs, const float* weights, const float* waves,
                  const float* mixed, const float* dpsi, int chunk, float* gradient) {
  extern __shared__ float shared[];
  const int j = static_cast<int>(blockIdx.x), part = static_cast<int>(blockIdx.y),
            thread = static_cast<int>(threadIdx.x);
  const int parts = static_cast<int>(gridDim.y), pair = 2 * net.waves, mix_stride = net.mix_stride();
  const long long all = rows.get();
  const int begin = static_cast<int>(all * part / parts), end = static_cast<int>(all * (part + 1) / parts);
  const int pitch = wave_pitch(net);
  float *into = shared, *back = into + kMixtures * pitch, *mix = back + chunk * pitch,
        *dm = mix + pair * kMixtures, *wave = dm + chunk * kMixtures, *turn = wave + chunk * pair;
  const std::size_t first_mix = net.wave_weight + static_cast<std::size_t>(j) * pair * mix_stride;
  float* own = gradient + part * net.size;
  for (int i = thread; i < pair * kMixtures; i += kWaveThreads)
    mix[i % kMixtures * pair + i / kMixtures] =
        weights[first_mix + i / kMixtures * mix_stride + i % kMixtures];
  for (int i = thread; i < kMixtures * net.stride; i += kWaveThreads)
    into[i / net.stride * pitch + i % net.stride] =
        weights[net.input_weight + static_cast<std::size_t>(net.numbers + j * kMixtures) * net.stride + i];
  for (int first = begin; first < end || first == begin; first += chunk) {
    const int count = min(chunk, end - first);
    __syncthreads();
    for (int i = thread; i < count * net.stride; i += kWaveThreads)
      back[i / net.stride * pitch + i % net.stride] = dpsi[static_cast<std::size_t>(first) * net.stride + i];
    for (int i = thread; i < count * pair; i += kWaveThreads)
      wave[i] = waves[(static_cast<std::size_t>(first + i / pair) * net.numbers + j) * pair + i % pair];
    __syncthreads();
    for (int i = thread; i < count * kMixtures; i += kWaveThreads) {
      const int s = i / kMixtures, o = i % kMixtures;
      float sum = 0;
#pragma unroll 8
      for (int c = 0; c < net.stride; c += 4) {
        const float4 x = *reinterpret_cast<const float4*>(back + s * pitch + c),
                     w = *reinterpret_cast<const float4*>(into + o * pitch + c);
        sum = fmaf(x.x, w.x, fmaf(x.y, w.y, fmaf(x.z, w.z, fmaf(x.w, w.w, sum))));
      }
      const bool open =
          mixed[static_cast<std::size_t>(first + s) * net.inputs + net.numbers + j * kMixtures + o] > 0;
      dm[i] = open ? sum : 0.0f;
    }
    __syncthreads();
    for (int i = thread; i < count * net.waves; i += kWaveThreads) {
      const int s = i / net.waves, k = i % net.waves;
      float along_cos = 0, along_sin = 0;
#pragma unroll
      for (int o = 0; o < kMixtures; ++o) {
        along_cos = fmaf(dm[s * kMixtures + o], mix[o * pair + k], along_cos);
        along_sin = fmaf(dm[s * kMixtures + o], mix[o * pair + net.waves + k], along_sin);
      }
      const float x = inputs.numbers[inputs.row(first + s) * net.numbers + j];
      turn[i] =
          6.28318531f * x * (along_sin * wave[s * pair + k] - along_cos * wave[s * pair + net.waves + k]);
    }
    __syncthreads();
    // Sums go on in the gradient from one round to the next.
    const auto add = [&](float* to, float sum) { *to = first == begin ? sum : *to + sum; };
    for (int i = thread; i < pair * kMixtures + kMixtures + net.waves; i += kWaveThreads) {
      float sum = 0;
      if (i < pair * kMixtures) {
#pragma unroll 8
        for (int s = 0; s < count; ++s)
          sum = fmaf(wave[s * pair + i / kMixtures], dm[s * kMixtures + i % kMixtures], sum);
        add(own + first_mix + i / kMixtures * mix_stride + i % kMixtures, sum);
      } else if (i < pair * kMixtures + kMixtures) {
        const int o = i - pair * kMixtures;
#pragma unroll 8
        for (int s = 0; s < count; ++s) sum += dm[s * kMixtures + o];
        add(own + net.wave_bias + j * kMixtures + o, sum);
      } else {
        const int k = i - pair * kMixtures - kMixtures;
#pragma unroll 8
        for (int s = 0; s < count; ++s) sum += turn[s * net.waves + k];
        add(own + net.frequency + j * net.wave_stride() + k, sum);
      }
    }
  }
}

}  // namespace mirrorball::cuda
