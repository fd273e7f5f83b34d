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
  unfinished_.store(static_cast<std::uint32_t>(tasks), std::memory_order_relaxed);
  unclaimed_.store(tasks, std::memory_order_release);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  work(0);
  for (std::uint32_t left; (left = unfinished_.load(std::memory_order_acquire)) != 0;)
    wait_while(unfinished_, left, spins_);
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void ThreadPool::serve(unsigned worker) {
  for (std::uint32_t seen = 0;;) {
    wait_while(round_, seen, spins_);
    seen = round_.load(std::memory_order_acquire);  // some rounds may have passed without this worker
    if (stop_.load(std::memory_order_relaxed)) return;
    work(worker);
  }
}

void ThreadPool::work(unsigned worker) {
  for (std::size_t task; claim(task); finish(1)) try {
      (*body_)(task, worker);
    } catch (...) {
      {
        const std::lock_guard hold(failure_lock_);
        if (!failure_) failure_ = std::current_exception();
      }
      finish(unclaimed_.exchange(0, std::memory_order_acq_rel));  // the rest is not begun
    }
}

/// A claimed task keeps its section open, so `tasks_` and `body_` are the section's until it is finished,
/// whichever section the worker was woken for.
bool ThreadPool::claim(std::size_t& task) {
  std::size_t left = unclaimed_.load(std::memory_order_relaxed);
  do {
    if (left == 0) return false;
  } while (!unclaimed_.compare_exchange_weak(left, left - 1, std::memory_order_acq_rel,
                                             std::memory_order_relaxed));
  task = tasks_ - left;
  return true;
}

void ThreadPool::finish(std::size_t tasks) {
  const auto count = static_cast<std::uint32_t>(tasks);
  if (unfinished_.fetch_sub(count, std::memory_order_acq_rel) == count) unfinished_.notify_one();
}

}  // namespace mirrorball
