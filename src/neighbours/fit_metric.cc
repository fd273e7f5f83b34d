#include "neighbours/fit_metric.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "base/random.h"
#include "kernels/adam.h"

namespace mirrorball::neighbours {
namespace {

constexpr float kBeta1 = 0.9f, kBeta2 = 0.98f;
/// Squared distance of two rows on average, before anything is learned.
constexpr double kFirstDistance = 24;

/// Normal numbers of one size for all columns. Numbers of two rows differ by 2 in the mean square.
void start(const MetricData& data, std::uint64_t seed, std::span<float> parameters) {
  const double columns = static_cast<double>(data.rows.number_columns + data.rows.code_columns);
  const auto sd = static_cast<float>(
      std::sqrt(kFirstDistance / (2 * std::max(1.0, columns) * static_cast<double>(kDims))));
  Stream random(seed, Purpose::kNeighbours);
  for (float& parameter : parameters) parameter = sd * static_cast<float>(random.normal());
}

/// The rows of one step after the other: all of them in a random order that begins anew when every row has
/// been a query.
class RowWindow {
 public:
  RowWindow(std::span<const std::uint32_t> which, std::size_t size, std::size_t step, std::uint64_t seed)
      : order_(which.begin(), which.end()),
        window_(size),
        step_(step),
        begin_(which.size()),
        random_(seed, Purpose::kNeighbours, 1) {}

  std::span<const std::uint32_t> next() {
    if (begin_ >= order_.size()) {
      shuffle(order_, random_);
      begin_ = 0;
    }
    for (std::size_t i = 0; i < window_.size(); ++i) window_[i] = order_[(begin_ + i) % order_.size()];
    begin_ += step_;
    return window_;
  }

 private:
  std::vector<std::uint32_t> order_, window_;
  std::size_t step_, begin_;
  Stream random_;
};

}  // namespace

Metric fit_metric(const MetricData& data, std::span<const std::uint32_t> which, const MetricPlan& plan,
                  std::uint64_t seed, ThreadPool& pool) {
  const std::size_t count = SoftStep::parameters(data);
  Buffer<float> weight(count), mean(count), square(count), gradient(count);
  start(data, seed, weight.span());
  if (which.size() >= plan.queries) {
    const std::size_t rows = std::min(plan.candidates, which.size());
    SoftStep step(data, rows, plan.queries);
    RowWindow window(which, rows, plan.queries, seed);
    const float* const shards[] = {gradient.data()};
    kernels::AdamStep adam{.beta1 = kBeta1, .beta2 = kBeta2};
    float power1 = 1, power2 = 1;
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < plan.steps; ++i) {
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
      if (plan.seconds > 0 && spent.count() > plan.seconds) break;
      step(weight.span(), window.next(), gradient.span(), pool);
      adam.correction1 = 1 - (power1 *= kBeta1);
      adam.correction2 = 1 - (power2 *= kBeta2);
      adam.rate = plan.rate * (1 - static_cast<float>(i) / static_cast<float>(plan.steps));
      kernels::adam(adam, {weight.data(), mean.data(), square.data(), nullptr}, shards, 0, count);
    }
  }
  const auto numbers = weight.begin() + data.rows.number_columns * kDims;
  return {{weight.begin(), numbers}, {numbers, weight.end()}};
}

}  // namespace mirrorball::neighbours
