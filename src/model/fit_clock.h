#pragma once

#include <chrono>
#include <functional>
#include <utility>

namespace mirrorball::model {

/// The time of a fit and its limit. All phases ask it how much they may take.
class FitClock {
 public:
  using Seconds = std::function<double()>;  ///< since some moment
  static double steady_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }

  /// `spent` seconds are over already; a limit of 0 is none.
  explicit FitClock(double limit, double spent = 0, Seconds now = steady_seconds)
      : limit_(limit), spent_(spent), now_(std::move(now)), begin_(now_()) {}

  bool limited() const { return limit_ > 0; }
  double elapsed() const { return spent_ + now_() - begin_; }
  /// Seconds until this share of the limit is over, at least a millisecond; 0 without a limit.
  double until(double share) const {
    if (!limited()) return 0;
    const double left = share * limit_ - elapsed();
    return left > 1e-3 ? left : 1e-3;
  }
  double limit() const { return limit_; }

 private:
  double limit_, spent_;
  Seconds now_;
  double begin_;
};

}  // namespace mirrorball::model
