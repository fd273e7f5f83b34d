#include "neighbours/fit_metric.h"

#include <algorithm>
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
    // The window is no longer than the order, so that it begins anew once at most.
    const std::size_t whole = std::min(window_.size(), order_.size() - begin_);
    const auto first = order_.begin() + static_cast<std::ptrdiff_t>(begin_);
    std::copy_n(order_.begin(), window_.size() - whole, std::copy_n(first, whole, window_.begin()));
    begin_ += step_;
    return window_;
  }

 private:
  std::vector<std::uint32_t> order_, window_;
  std::size_t step_, begin_;
  Stream random_;
};

}  // namespace

Metric fit_metric(const MetricData& data, std::span<const std::uint32_t> rows, const MetricPlan& plan,
                  std::uint64_t seed, ThreadPool& pool) {
  std::vector<std::uint32_t> which;
  std::ranges::copy_if(rows, std::back_inserter(which),
                       [&](std::uint32_t row) { return data.weights[row] > 0; });
  const std::size_t count = SoftStep::parameters(data);
  Buffer<float> weight(count), mean(count), square(count), gradient(count);
  start(data, seed, weight.span());
  if (which.size() >= plan.queries) {
    const std::size_t candidates = std::min(plan.candidates, which.size());
    SoftStep step(data, candidates, plan.queries);
    RowWindow window(which, candidates, plan.queries, seed);
    const float* const shards[] = {gradient.data()};
    kernels::AdamStep adam{.beta1 = kBeta1, .beta2 = kBeta2};
    float power1 = 1, power2 = 1;
    const WorkTime time(plan.seconds, plan.watch);
    for (std::size_t i = 0; i < plan.steps && !time.is_over(); ++i) {
      time.add(1 / static_cast<double>(plan.steps));
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
