#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace mirrorball::serve {

/// Counts what the server does, and writes it as Prometheus reads it.
class Metrics {
 public:
  void answered(const std::string& route, int status, double seconds);
  void drew(std::size_t rows, std::size_t draws) {
    rows_ += rows;
    draws_ += draws;
  }

  /// `refused` connections are counted where they are refused.
  std::string text(std::size_t refused) const;

 private:
  static constexpr std::array<double, 12> kBounds = {0.001, 0.002, 0.003, 0.005, 0.01, 0.02,
                                                     0.05,  0.1,   0.25,  1,     5,    30};
  struct Times {
    std::array<std::uint64_t, kBounds.size() + 1> buckets{};
    double sum = 0;
    std::map<int, std::uint64_t> statuses;
  };

  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::atomic<std::uint64_t> rows_{0}, draws_{0};
  mutable std::mutex lock_;
  std::map<std::string, Times> routes_;
};

}  // namespace mirrorball::serve
