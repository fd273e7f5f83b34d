#include "base/thread_pool.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace mirrorball {
namespace {

// Long enough to bridge the serial part between two sections of a step, short enough not to burn a core for
// long.
constexpr int kSpins = 4000;

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

/// Returns once `value` differs from `old`.
void wait_while(const std::atomic<std::uint32_t>& value, std::uint32_t old, int spins) {
  for (int i = 0; i < spins; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
    pause();
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

ThreadPool::ThreadPool(unsigned threads) {
  if (threads == 1) return;
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  if (threads == 0) threads = cores;
  spins_ = threads <= cores ? kSpins : 0;
  workers_.reserve(threads - 1);
  for (unsigned worker = 1; worker < threads; ++worker) try {
      workers_.emplace_back([this, worker] { serve(worker); });
    } catch (const std::system_error&) {
      break;  // the system gives no more; fewer threads are only slower
    }
}

ThreadPool::~ThreadPool() {
  stop_.store(true, std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::run(std::size_t tasks, const Body& body) {
  body_ = &body;
  tasks_ = tasks;
  next_.store(0, std::memory_order_relaxed);
  busy_.store(static_cast<std::uint32_t>(workers_.size()), std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  work(0);
  for (std::uint32_t left; (left = busy_.load(std::memory_order_acquire)) != 0;)
    wait_while(busy_, left, spins_);
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void ThreadPool::serve(unsigned worker) {
  for (std::uint32_t seen = 0;; ++seen) {
    wait_while(round_, seen, spins_);
    if (stop_.load(std::memory_order_relaxed)) return;
    work(worker);
    busy_.fetch_sub(1, std::memory_order_release);
    busy_.notify_one();
  }
}

void ThreadPool::work(unsigned worker) {
  try {
    for (std::size_t task; (task = next_.fetch_add(1, std::memory_order_relaxed)) < tasks_;)
      (*body_)(task, worker);
  } catch (...) {
    next_.store(tasks_, std::memory_order_relaxed);
    const std::lock_guard hold(failure_lock_);
    if (!failure_) failure_ = std::current_exception();
  }
}

}  // namespace mirrorball
