#pragma once

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <numeric>

#include "engine/cuda/device/validation.cuh"

namespace mirrorball::cuda {

/// What the networks make of their noise points.
struct Noise {
  std::vector<std::size_t> counts;  ///< one for each network
  std::vector<Memory<float>> phi;

  std::size_t most() const { return *std::max_element(counts.begin(), counts.end()); }
  std::size_t all() const { return std::accumulate(counts.begin(), counts.end(), std::size_t{0}); }
};

/// What drawing for some rows takes: a stream, inputs and draws on the device, and draws in memory of the
/// host that the device reaches fast.
struct DrawingLane {
  DrawingLane(const Net& net, int device, std::size_t most_rows, std::size_t most_draws,
              std::size_t most_floats)
      : rows(most_rows),
        draws(most_draws),
        numbers(most_rows * net.numbers),
        codes(most_rows * net.codes),
        result(most_floats),
        host(most_floats),
        sampling(net, device, most_rows, most_draws) {}

  bool serves(std::size_t some_rows, std::size_t some_draws, std::size_t floats) const {
    return some_rows <= rows && some_draws <= draws && floats <= result.size();
  }

  std::size_t rows, draws;
  Stream stream;
  Memory<float> numbers;
  Memory<std::int32_t> codes;
  Memory<float> result;
  Shared<float> host;
  Sampling sampling;
};

/// Fitted networks to draw from. Several threads may draw at once, each on a lane: while one copies what it
/// has, the device works for the others.
class Drawing {
 public:
  Drawing(int device, const MirrorballCudaNet& net, std::size_t networks, const float* const* weights)
      : device_(device), net_(Net::of(net)) {
    for (std::size_t i = 0; i < networks; ++i) weights_.emplace_back(net_.size).fill(weights[i], net_.size);
  }

  int device() const { return device_; }

  Noise embed(const std::size_t* counts, const float* const* points) const {
    const Stream stream;
    Noise noise;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      noise.counts.push_back(counts[i]);
      Memory<float>& phi = noise.phi.emplace_back(net_.noisy() ? counts[i] * net_.stride : 0);
      if (phi.size() == 0) continue;
      Memory<float> values(counts[i] * net_.dims), features(counts[i] * net_.features);
      values.fill(points[i], values.size());
      embed_noise(stream, net_, weights_[i].data(), {nullptr, 1}, 1, static_cast<int>(counts[i]),
                  values.data(), features.data(), phi.data(), nullptr);
      check(cudaGetLastError());
      stream.wait();
    }
    return noise;
  }

  void draw(const Noise& noise, std::size_t rows, const float* numbers, const std::int32_t* codes,
            float* out) const {
    const std::size_t row_size = net_.targets * noise.all(),
                      chunk = std::min({rows, Sampling::most_rows(net_, device_, noise.most()),
                                        std::max<std::size_t>(1, kMostFloats / row_size)});
    std::unique_ptr<DrawingLane> lane = take(chunk, noise.most(), chunk * row_size);
    for (std::size_t begin = 0; begin < rows; begin += chunk)
      draw_some(*lane, noise, std::min(chunk, rows - begin), numbers + begin * net_.numbers,
                codes + begin * net_.codes, out + begin * row_size);
    give_back(std::move(lane));
  }

 private:
  /// Lanes that keep their memory, and the floats of draws that one has.
  static constexpr std::size_t kLanes = 8, kMostFloats = 1 << 20;

  void draw_some(DrawingLane& lane, const Noise& noise, std::size_t rows, const float* numbers,
                 const std::int32_t* codes, float* out) const {
    const std::size_t all = noise.all(), row_size = net_.targets * all;
    const auto bring = [&](auto* to, const auto* from, std::size_t count) {
      if (count > 0)
        check(cudaMemcpyAsync(to, from, count * sizeof *to, cudaMemcpyHostToDevice, lane.stream));
    };
    bring(lane.numbers.data(), numbers, rows * net_.numbers);
    bring(lane.codes.data(), codes, rows * net_.codes);
    std::size_t first = 0;
    for (std::size_t i = 0; i < weights_.size(); first += noise.counts[i++])
      if (noise.counts[i] > 0)
        lane.sampling.draw(lane.stream, weights_[i].data(), static_cast<int>(rows),
                           {lane.numbers.data(), lane.codes.data(), nullptr}, noise.phi[i].data(),
                           noise.counts[i], {lane.result.data() + first, row_size, all, 1});
    check(cudaGetLastError());
    const std::size_t floats = rows * row_size;
    check(cudaMemcpyAsync(lane.host.data(), lane.result.data(), floats * sizeof(float),
                          cudaMemcpyDeviceToHost, lane.stream));
    lane.stream.wait();
    std::copy_n(lane.host.data(), floats, out);
  }

  std::unique_ptr<DrawingLane> take(std::size_t rows, std::size_t draws, std::size_t floats) const {
    std::unique_lock hold(lock_);
    free_.wait(hold, [&] { return taken_ < kLanes; });
    ++taken_;
    for (std::unique_ptr<DrawingLane>& lane : lanes_) {
      if (!lane->serves(rows, draws, floats)) continue;
      std::swap(lane, lanes_.back());
      std::unique_ptr<DrawingLane> found = std::move(lanes_.back());
      lanes_.pop_back();
      return found;
    }
    if (!lanes_.empty()) lanes_.pop_back();  // too small
    hold.unlock();
    try {
      return std::make_unique<DrawingLane>(net_, device_, rows, draws, floats);
    } catch (...) {
      give_back(nullptr);
      throw;
    }
  }

  void give_back(std::unique_ptr<DrawingLane> lane) const {
    const std::lock_guard hold(lock_);
    --taken_;
    if (lane) lanes_.push_back(std::move(lane));
    free_.notify_one();
  }

  int device_;
  Net net_;
  std::vector<Memory<float>> weights_;
  mutable std::mutex lock_;
  mutable std::condition_variable free_;
  mutable std::size_t taken_ = 0;
  mutable std::vector<std::unique_ptr<DrawingLane>> lanes_;  ///< that nobody uses
};

}  // namespace mirrorball::cuda
