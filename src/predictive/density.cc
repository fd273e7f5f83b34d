#include "mirrorball/density.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/error.h"
#include "base/order_statistics.h"

namespace mirrorball {
namespace {

// A spike at a limit has this share of the samples at least: fewer are not seen in a drawing. Elsewhere it
// has more: training rows that a forest repeats a few times are no property of the target.
constexpr double kLimitShare = 0.02, kSpikeShare = 0.05;
// And so many samples, or a few that are equal by rounding would be one.
constexpr std::size_t kSpikeSamples = 5;
// Bars: so few values hold this share of the samples, with so many samples each on average, and this share
// each. Beside a value at a limit, single samples would make up the rest of it.
constexpr double kBarsShare = 0.9, kBarShare = 0.005;
constexpr std::size_t kMostBars = 40, kSamplesPerBar = 4;
// Bars closer to each other than this share of the samples' range, as 5 and 5.00001, are not seen.
constexpr double kNarrowBar = 1e-4;
// The kernel ends after so many standard deviations, where it is 1e-8 of its height.
constexpr double kReach = 6;
// A single bar has no neighbour to take a width from: this share of the drawing.
constexpr double kLoneBar = 0.05;

const double kRoot2Pi = std::sqrt(2 * std::numbers::pi);

/// Counts, the largest first.
template <class Values>
std::vector<std::size_t> descending_counts(const Values& values) {
  std::vector<std::size_t> counts;
  for (const auto& one : values) counts.push_back(one.count);
  std::sort(counts.rbegin(), counts.rend());
  return counts;
}

/// How many values hold the share of bars.
std::size_t values_of_bars(const std::vector<std::size_t>& counts, std::size_t samples) {
  std::size_t held = 0, values = 0;
  while (static_cast<double>(held) < kBarsShare * static_cast<double>(samples)) held += counts[values++];
  return values;
}

/// Silverman's rule: 0.9 min(sd, IQR / 1.34) n^(-1/5). It leaves peaks apart that Scott's would join.
double silverman(const std::vector<double>& sorted) {
  const double n = static_cast<double>(sorted.size());
  if (sorted.size() < 2) return 0;
  const double mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) / n;
  double squares = 0;
  for (const double value : sorted) squares += (value - mean) * (value - mean);
  const double sd = std::sqrt(squares / (n - 1));
  const double middle = (sorted_quantile(sorted, 0.75) - sorted_quantile(sorted, 0.25)) / 1.34;
  return 0.9 * (middle > 0 ? std::min(sd, middle) : sd) * std::pow(n, -0.2);
}

/// Σ count · exp(−u²/2) over the values within kReach widths, which ascend.
template <class Values>
double kernel_sum(const Values& values, double centre, double width) {
  if (!std::isfinite(centre)) return 0;
  const double reach = kReach * width;
  auto one = std::lower_bound(values.begin(), values.end(), centre - reach,
                              [](const auto& value, double end) { return value.value < end; });
  double sum = 0;
  for (; one != values.end() && one->value <= centre + reach; ++one) {
    const double u = (one->value - centre) / width;
    sum += static_cast<double>(one->count) * std::exp(-0.5 * u * u);
  }
  return sum;
}

/// The values, and their mirror images behind both limits: a mirrored sample 2a − s lies at x where the
/// sample lies at 2a − x.
template <class Values>
double reflected_sum(const Values& values, Limits limits, double x, double width) {
  return kernel_sum(values, x, width) + kernel_sum(values, 2 * limits.low - x, width) +
         kernel_sum(values, 2 * limits.high - x, width);
}

}  // namespace

Density::Density(std::span<const double> samples, Limits limits) : samples_(samples.size()), limits_(limits) {
  if (samples.empty()) bad_input("0 samples: a density needs at least 1");
  if (!(limits.low <= limits.high))
    bad_input("the limits {} to {} are not in order: give the lower first", limits.low, limits.high);
  std::vector<double> sorted(samples.begin(), samples.end());
  for (const double value : sorted)
    if (!std::isfinite(value)) bad_input("a sample is {}, not a finite number", value);
  std::sort(sorted.begin(), sorted.end());
  std::vector<Value> values;
  for (const double value : sorted) {
    if (values.empty() || values.back().value != value) values.push_back({value, 0});
    ++values.back().count;
  }
  bandwidth_ = silverman(sorted);
  find_spikes(values);

  const auto is_spike = [&](double value) {
    return std::any_of(spikes_.begin(), spikes_.end(), [&](const Spike& one) { return one.value == value; });
  };
  if (std::isinf(limits_.low) && is_spike(sorted.front())) limits_.low = sorted.front();
  if (std::isinf(limits_.high) && is_spike(sorted.back())) limits_.high = sorted.back();
  limits_ = {std::min(limits_.low, sorted.front()), std::max(limits_.high, sorted.back())};
  std::erase_if(values, [&](const Value& one) { return is_spike(one.value); });
  std::erase_if(sorted, is_spike);
  rest_ = std::move(values);
  bandwidth_ = silverman(sorted);
}

// Repeated values inside a bell, as round prices or the leaves of a forest have them, are part of the bell. A
// spike is a value at a limit, or one that the kernel draws higher than all other samples together.
void Density::find_spikes(const std::vector<Value>& values) {
  if (find_bars(values)) return;
  const double all = static_cast<double>(samples_);
  for (const Value& one : values) {
    const double count = static_cast<double>(one.count);
    const bool at_limit = one.value == limits_.low || one.value == limits_.high;
    if (count < std::max((at_limit ? kLimitShare : kSpikeShare) * all, static_cast<double>(kSpikeSamples)))
      continue;
    if (at_limit || count >= reflected_sum(values, limits_, one.value, bandwidth_) - count)
      spikes_.push_back({one.value, count / all});
  }
}

/// All values with more than one sample, if few hold nearly all samples. These decide the width: the least
/// distance of two.
bool Density::find_bars(const std::vector<Value>& values) {
  const std::vector<std::size_t> counts = descending_counts(values);
  const std::size_t most = values_of_bars(counts, samples_), least = counts[most - 1];
  const double all = static_cast<double>(samples_);
  if (most > std::min(kMostBars, std::max<std::size_t>(1, samples_ / kSamplesPerBar))) return false;
  if (most > 1 && static_cast<double>(least) < std::max(2.0, kBarShare * all)) return false;
  double before = std::numeric_limits<double>::quiet_NaN(), width = Limits{}.high;
  for (const Value& one : values) {
    if (one.count < least) continue;
    if (one.value - before < width) width = one.value - before;
    before = one.value;
  }
  if (width < kNarrowBar * (values.back().value - values.front().value)) return false;
  for (const Value& one : values)
    if (one.count >= std::min<std::size_t>(2, least))
      spikes_.push_back({one.value, static_cast<double>(one.count) / all});
  bars_ = true;
  bar_width_ = std::isinf(width) ? 0 : width;
  return true;
}

Density::Curve Density::curve(double low, double high, std::size_t points) const {
  if (!(low < high)) bad_input("the drawing goes from {} to {}: its ends must differ", low, high);
  if (points < 2) bad_input("{} points: a curve needs at least 2", points);
  const double from = std::max(low, limits_.low), to = std::min(high, limits_.high);
  const double step = std::max(0.0, to - from) / static_cast<double>(points - 1);
  const double bar = bar_width_ > 0 ? bar_width_ : kLoneBar * (high - low);
  const double width = std::max({bandwidth_, step, bars_ ? bar / 2 : 0.0});
  Curve made{{}, {}, bars_ ? bar : kRoot2Pi * width};
  if (rest_.empty() || !(step > 0)) return made;
  for (std::size_t i = 0; i < points; ++i) {
    made.x.push_back(i + 1 == points ? to : from + static_cast<double>(i) * step);
    made.y.push_back(at(made.x.back(), width));
  }
  return made;
}

// f(x) = 1/M Σ_i [k(x − s_i) + k(x − (2a − s_i)) + k(x − (2b − s_i))] between the limits a and b, over the
// samples outside spikes, M of all samples, k normal with deviation `width`.
double Density::at(double x, double width) const {
  return reflected_sum(rest_, limits_, x, width) / (static_cast<double>(samples_) * width * kRoot2Pi);
}

}  // namespace mirrorball
