#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace mirrorball {

/// The range that samples of a target can have, both ends included. Infinite where nothing limits them.
struct Limits {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

/// A value that many samples of a row are equal to, and the share of them.
struct Spike {
  double value, share;
};

/// The density of a row's samples as it is drawn, by the same rule in C++, in Python and on the pages.
/// Values that many samples are equal to are spikes. The other samples are smoothed by a Gaussian kernel,
/// which is reflected at the limits: no area lies where no sample can. The shares of the spikes and the area
/// of the curve add up to 1.
///
/// It is made for the eye. Scores use the kernel estimate without limits (Predictive::density, kde_nll).
class Density {
 public:
  /// At least 1 sample, all finite, in any order. Limits that leave samples out are moved to include them. An
  /// end without limit is taken to lie at the least or greatest sample, where that is a spike.
  explicit Density(std::span<const double> samples, Limits limits = {});

  /// In ascending order of their values.
  const std::vector<Spike>& spikes() const { return spikes_; }
  /// Whether few values hold nearly all samples: spikes are then drawn as bars beside each other.
  bool bars() const { return bars_; }
  const Limits& limits() const { return limits_; }
  /// Standard deviation of the kernel; 0 where the samples outside spikes have no spread.
  double bandwidth() const { return bandwidth_; }

  struct Curve {
    std::vector<double> x, y;
    /// A spike of share s is drawn s / spike_width high: as high as the kernel would have made it, and as a
    /// bar so that its area is its share.
    double spike_width;
  };
  /// On equally spaced points from `low` to `high`, or to the limits where those are nearer. The kernel is at
  /// least one step wide. At least 2 points; empty where no sample is outside a spike.
  Curve curve(double low, double high, std::size_t points) const;

 private:
  struct Value {
    double value;
    std::size_t count;
  };

  void find_spikes(const std::vector<Value>& values);
  bool find_bars(const std::vector<Value>& values);
  double at(double x, double width) const;

  std::size_t samples_;
  Limits limits_;
  std::vector<Spike> spikes_;
  std::vector<Value> rest_;  ///< outside spikes, ascending
  bool bars_ = false;
  double bandwidth_ = 0;
  double bar_width_ = 0;  ///< of bars; 0 where there is only one
};

}  // namespace mirrorball
