#pragma once

#include <atomic>
#include <chrono>

namespace mirrorball {

/// What others see of long work while it goes on, and how they end it.
struct Watch {
  std::atomic<double> done{0};  ///< share of the work; it may end below 1
  std::atomic<bool> stop{false};
};

/// How long a piece of work may take: so many seconds from now on (0: no limit), and until its watch, which
/// may be none, says stop.
class WorkTime {
 public:
  explicit WorkTime(double seconds, Watch* watch = nullptr) : seconds_(seconds), watch_(watch) {}

  bool is_over() const {
    if (watch_ && watch_->stop.load(std::memory_order_relaxed)) return true;
    return seconds_ > 0 &&
           std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count() > seconds_;
  }
  /// A share of the watched work is done.
  void add(double share) const {
    if (watch_) watch_->done.fetch_add(share, std::memory_order_relaxed);
  }

 private:
  double seconds_;
  Watch* watch_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace mirrorball
