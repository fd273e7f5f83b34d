#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>

namespace mirrorball {

/// Threads that work of several kinds shares, each kind with a pool of its own: whoever has a pool is one of
/// these threads, and those left over help where there are tasks. As long as they are wanted everywhere, no
/// pool has more than an even part of them; when an owner has finished, its thread helps the others.
class ThreadShare {
 public:
  explicit ThreadShare(unsigned threads) : threads_(static_cast<int>(threads)), free_(threads_) {}

  unsigned threads() const { return static_cast<unsigned>(threads_); }

 private:
  friend class ThreadPool;

  void join();
  void leave();
  /// A thread to help a pool that has so many helpers; false where none is left for it.
  bool take(std::size_t helpers);
  void give() { free_.fetch_add(1, std::memory_order_relaxed); }

  const int threads_;
  std::atomic<int> free_, owners_{0};  ///< free: below 0 where there are more owners than threads
};

/// Short parallel sections (a training step has four of them, each about a millisecond) on threads that all
/// pools of the process share. A pool borrows them when a section begins, as many as it has tasks for; they
/// spin for a moment in case another section follows, then go back. The calling thread is worker 0. A section
/// ends when its tasks are done, not when every thread has come: on a busy machine nobody waits for one that
/// gets no core, and where the system gives no more threads the caller does the work alone.
///
/// Sections may be nested and run at the same time, on one pool or several. After a fork, the child's
/// sections borrow threads of its own; a section that was open in another thread does not go on there.
class ThreadPool {
 public:
  using Body = std::function<void(std::size_t task, unsigned worker)>;

  /// `threads` 0 takes all cores.
  explicit ThreadPool(unsigned threads = 0);
  /// With so many of the shared threads at most; the caller is one of them until the pool is destroyed.
  ThreadPool(std::shared_ptr<ThreadShare> share, unsigned most);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  unsigned size() const { return size_; }

  /// Calls body(task, worker) once for every task in [0, tasks) and returns when all are done; the worker is
  /// below size(), and in a section no two tasks have the same one at a time. Which worker gets which task is
  /// left open: results must not depend on it. The first exception thrown is rethrown here.
  void run(std::size_t tasks, const Body& body);

 private:
  struct Shared;

  void borrow(std::size_t helpers);

  unsigned size_;
  std::shared_ptr<ThreadShare> share_;  ///< may be none
  std::shared_ptr<Shared> shared_;      ///< also the helpers'; none for a single thread
};

}  // namespace mirrorball
