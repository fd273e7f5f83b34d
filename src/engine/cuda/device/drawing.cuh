#pragma once

#include <algorithm>
#include <mutex>
#include <numeric>
#include <optional>

#include "engine/cuda/device/validation.cuh"

namespace mirrorball::cuda {

/// What the networks make of their noise points.
struct Noise {
  std::vector<std::size_t> counts;  ///< one for each network
  std::vector<Memory<float>> phi;
};

/// Fitted networks to draw from. One call at a time uses the memory.
class Drawing {
 public:
  Drawing(int device, const MirrorballCudaNet& net, std::size_t networks, const float* const* weights)
      : device_(device), net_(Net::of(net)) {
    for (std::size_t i = 0; i < networks; ++i) weights_.emplace_back(net_.size).fill(weights[i], net_.size);
  }

  int device() const { return device_; }

  Noise embed(const std::size_t* counts, const float* const* points) const {
    Noise noise;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      noise.counts.push_back(counts[i]);
      Memory<float>& phi = noise.phi.emplace_back(net_.noisy() ? counts[i] * net_.stride : 0);
      if (phi.size() == 0) continue;
      Memory<float> values(counts[i] * net_.dims), features(counts[i] * net_.features);
      values.fill(points[i], values.size());
      embed_noise(stream_, net_, weights_[i].data(), {nullptr, 1}, 1, static_cast<int>(counts[i]),
                  values.data(), features.data(), phi.data(), nullptr);
      check(cudaGetLastError());
      stream_.wait();
    }
    return noise;
  }

  void draw(const Noise& noise, std::size_t rows, const float* numbers, const std::int32_t* codes,
            float* out) const {
    const std::lock_guard hold(lock_);
    const std::size_t most = *std::max_element(noise.counts.begin(), noise.counts.end());
    const std::size_t all = std::accumulate(noise.counts.begin(), noise.counts.end(), std::size_t{0});
    const std::size_t chunk =
        std::min(rows, std::max<std::size_t>(1, kMostLines / std::max<std::size_t>(1, most)));
    const std::size_t row_size = net_.targets * all;
    Memory<float> some_numbers(chunk * net_.numbers), result(chunk * row_size);
    Memory<std::int32_t> some_codes(chunk * net_.codes);
    std::optional<Space> space;
    for (std::size_t begin = 0; begin < rows; begin += chunk) {
      const std::size_t count = std::min(chunk, rows - begin);
      some_numbers.fill(numbers + begin * net_.numbers, count * net_.numbers);
      some_codes.fill(codes + begin * net_.codes, count * net_.codes);
      std::size_t first = 0;
      for (std::size_t i = 0; i < weights_.size(); first += noise.counts[i++]) {
        if (noise.counts[i] == 0) continue;
        if (!space || space->draws != noise.counts[i])
          space.emplace(net_, chunk, noise.counts[i], false, false);
        forward_pass<false>(stream_, net_, weights_[i].data(), {nullptr, static_cast<int>(count)},
                            {some_numbers.data(), some_codes.data(), nullptr},
                            {noise.phi[i].data(), nullptr, static_cast<int>(noise.counts[i])}, *space,
                            {result.data() + first, row_size, all, 1});
      }
      check(cudaGetLastError());
      stream_.wait();
      check(cudaMemcpy(out + begin * row_size, result.data(), count * row_size * sizeof(float),
                       cudaMemcpyDeviceToHost));
    }
  }

 private:
  int device_;
  Net net_;
  Stream stream_;
  std::vector<Memory<float>> weights_;
  mutable std::mutex lock_;
};

}  // namespace mirrorball::cuda
