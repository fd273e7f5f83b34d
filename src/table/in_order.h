#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <utility>

#include "base/thread_pool.h"

namespace mirrorball::table {

/// Threads that take things from a sequence, work on them side by side and give them on in the order of the
/// sequence. As many are under way as there are threads. An error comes out when it is its thing's turn, so
/// that the first in the sequence is reported whatever the number of threads.
template <class Work>
class InOrder {
 public:
  using Take = std::function<bool(Work&)>;
  using Act = std::function<void(Work&)>;

  /// take(work) fills a work and is false at the end; take and give are called by one thread at a time.
  InOrder(Take take, Act work, Act give)
      : take_(std::move(take)), work_(std::move(work)), give_(std::move(give)) {}

  void run(ThreadPool& pool) {
    pool.run(pool.size(), [this](std::size_t, unsigned) {
      Work work;
      while (step(work)) {
      }
    });
  }

 private:
  bool step(Work& work) {
    std::size_t turn;
    std::exception_ptr failure;
    if (!take(work, turn, failure)) return false;
    if (!failure) attempt(failure, [&] { work_(work); });
    std::unique_lock hold(giving_);
    turned_.wait(hold, [&] { return stopped_ || given_ == turn; });
    if (stopped_) return false;
    if (!failure) attempt(failure, [&] { give_(work); });
    stopped_ = failure != nullptr;
    ++given_;
    turned_.notify_all();
    if (failure) std::rethrow_exception(failure);
    return true;
  }

  bool take(Work& work, std::size_t& turn, std::exception_ptr& failure) {
    const std::lock_guard hold(taking_);
    if (ended_) return false;
    turn = taken_++;
    attempt(failure, [&] { ended_ = !take_(work); });
    if (failure) ended_ = true;
    return failure || !ended_;
  }

  template <class Action>
  static void attempt(std::exception_ptr& failure, Action action) {
    try {
      action();
    } catch (...) {
      failure = std::current_exception();
    }
  }

  Take take_;
  Act work_;
  Act give_;
  std::mutex taking_;
  std::size_t taken_ = 0;
  bool ended_ = false;
  std::mutex giving_;
  std::condition_variable turned_;
  std::size_t given_ = 0;
  bool stopped_ = false;
};

}  // namespace mirrorball::table
