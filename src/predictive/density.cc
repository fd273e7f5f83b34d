#include "mirrorball/density.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/error.h"
#include "base/order_statistics.h"

namespace mirrorball {
namespace {

// A spike has this share of the samples at least: fewer are not seen in a drawing.
constexpr double kSpikeShare = 0.02;
// And so many samples, or a few that are equal by rounding would be one.
constexpr std::size_t kSpikeSamples = 5;
// With more candidates than this the values are a fine lattice, which a curve shows better. A spike then has
// to stand out from the other candidates by the factor.
constexpr std::size_t kMostSpikes = 8;
constexpr double kStandsOut = 4;
// Bars: so few values hold this share of the samples, with so many samples each on average.
constexpr double kBarsShare = 0.9;
constexpr std::size_t kMostBars = 40, kSamplesPerBar = 4;
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

void Density::find_spikes(const std::vector<Value>& values) {
  const std::vector<std::size_t> counts = descending_counts(values);
  const std::size_t bars = values_of_bars(counts, samples_);
  if (bars <= std::min(kMostBars, std::max<std::size_t>(1, samples_ / kSamplesPerBar)))
    return find_bars(values, bars);
  const double all = static_cast<double>(samples_);
  double least = std::max(kSpikeShare * all, static_cast<double>(kSpikeSamples));
  const auto candidates = static_cast<std::size_t>(std::count_if(
      counts.begin(), counts.end(), [&](std::size_t count) { return static_cast<double>(count) >= least; }));
  if (candidates > kMostSpikes)
    least = std::max(least, kStandsOut * static_cast<double>(counts[candidates / 2]));
  for (const Value& one : values)
    if (static_cast<double>(one.count) >= least)
      spikes_.push_back({one.value, static_cast<double>(one.count) / all});
}

/// All values with more than one sample. The `most` frequent ones decide the width: the least distance of
/// two.
void Density::find_bars(const std::vector<Value>& values, std::size_t most) {
  bars_ = true;
  const std::size_t least = descending_counts(values)[most - 1];
  const double all = static_cast<double>(samples_);
  double before = std::numeric_limits<double>::quiet_NaN(), width = Limits{}.high;
  for (const Value& one : values) {
    if (one.count >= std::min<std::size_t>(2, least))
      spikes_.push_back({one.value, static_cast<double>(one.count) / all});
    if (one.count < least) continue;
    if (one.value - before < width) width = one.value - before;
    before = one.value;
  }
  bar_width_ = std::isinf(width) ? 0 : width;
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
// samples outside spikes, M of all samples, k normal with deviation `width`. A mirrored sample 2a − s lies at
// x where the sample lies at 2a − x.
double Density::at(double x, double width) const {
  const auto sum_at = [&](double centre) {
    if (!std::isfinite(centre)) return 0.0;
    const double reach = kReach * width;
    auto one = std::lower_bound(rest_.begin(), rest_.end(), centre - reach,
                                [](const Value& value, double end) { return value.value < end; });
    double sum = 0;
    for (; one != rest_.end() && one->value <= centre + reach; ++one) {
      const double u = (one->value - centre) / width;
      sum += static_cast<double>(one->count) * std::exp(-0.5 * u * u);
    }
    return sum;
  };
  const double sum = sum_at(x) + sum_at(2 * limits_.low - x) + sum_at(2 * limits_.high - x);
  return sum / (static_cast<double>(samples_) * width * kRoot2Pi);
}

}  // namespace mirrorball
