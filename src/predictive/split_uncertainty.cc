#include "predictive/split_uncertainty.h"

#include <algorithm>
#include <vector>

// n samples x with mean m, of them n_k from source k with mean m_k.
//
// Variance: the analysis of variance, every sum over n − 1.
//   Σ (x − m)²  =  Σ_k Σ_{i in k} (x_i − m_k)²  +  Σ_k n_k (m_k − m)²
//
// Expected CRPS: e(F) = ½ E|X − X'| = ∫ F (1 − F) dy, with F the share of samples at or below y, F_k that of
// source k, and F = Σ_k n_k/n F_k. In ascending order, i from 0,
//   e(F)  =  1/n² Σ_i (2i − n + 1) x_(i)
//   e(F)  =  Σ_k n_k/n e(F_k)  +  Σ_k n_k/n ∫ (F_k − F)² dy
// The last sum is computed as the difference of the others.

namespace mirrorball::predictive {
namespace {

/// What is summed over samples that come in ascending order.
struct Sums {
  double count = 0, values = 0, ranked = 0;  ///< ranked: of value times rank, from 0
  double squares = 0;                        ///< about the mean

  void add(double value) {
    ranked += count * value;
    values += value;
    count += 1;
  }
  double mean() const { return values / count; }
  void add_square(double value) { squares += (value - mean()) * (value - mean()); }
  double expected_crps() const { return (2 * ranked - (count - 1) * values) / (count * count); }
};

std::vector<std::uint32_t> ascending(std::span<const double> samples) {
  std::vector<std::uint32_t> order(samples.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return samples[a] != samples[b] ? samples[a] < samples[b] : a < b;
  });
  return order;
}

}  // namespace

Uncertainty split_uncertainty(std::span<const double> samples, std::span<const std::uint32_t> sources) {
  const std::vector<std::uint32_t> order = ascending(samples);
  const double middle = samples[order[order.size() / 2]];  // far from 0, ranks times values would lose digits
  Sums all;
  std::vector<Sums> each(*std::max_element(sources.begin(), sources.end()) + std::size_t{1});
  for (const std::uint32_t i : order) {
    all.add(samples[i] - middle);
    each[sources[i]].add(samples[i] - middle);
  }
  for (const std::uint32_t i : order) {
    all.add_square(samples[i] - middle);
    each[sources[i]].add_square(samples[i] - middle);
  }
  Uncertainty found;
  double within = 0, between = 0;
  for (const Sums& one : each) {
    if (one.count == 0) continue;
    within += one.squares;
    between += one.count * (one.mean() - all.mean()) * (one.mean() - all.mean());
    found.expected_crps.aleatoric += one.count / all.count * one.expected_crps();
  }
  const double freedom = std::max(1.0, all.count - 1);
  found.variance = {all.squares / freedom, within / freedom, between / freedom};
  found.expected_crps.total = all.expected_crps();
  found.expected_crps.epistemic = std::max(0.0, found.expected_crps.total - found.expected_crps.aleatoric);
  return found;
}

}  // namespace mirrorball::predictive
