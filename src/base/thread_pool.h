#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace mirrorball {

/// A fixed set of threads for short parallel sections (a training step has four of them, each about a
/// millisecond): threads spin for a moment before they sleep. The calling thread is worker 0. A section ends
/// when its tasks are done, not when every thread has come: on a busy machine nobody waits for one that gets
/// no core.
class ThreadPool {
 public:
  using Body = std::function<void(std::size_t task, unsigned worker)>;

  /// `threads` 0 takes all cores.
  explicit ThreadPool(unsigned threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  unsigned size() const { return static_cast<unsigned>(workers_.size()) + 1; }

  /// Calls body(task, worker) once for every task in [0, tasks) and returns when all are done. Which worker
  /// gets which task is left open: results must not depend on it. The first exception thrown is rethrown
  /// here.
  void run(std::size_t tasks, const Body& body);

 private:
  void serve(unsigned worker);
  void work(unsigned worker);
  bool claim(std::size_t& task);
  void finish(std::size_t tasks);

  std::vector<std::thread> workers_;
  int spins_ = 0;
  const Body* body_ = nullptr;
  std::size_t tasks_ = 0;
  std::atomic<std::size_t> unclaimed_{0};
  std::atomic<std::uint32_t> unfinished_{0}, round_{0};  // 32 bits: what the system can wait on itself
  std::atomic<bool> stop_{false};
  std::mutex failure_lock_;
  std::exception_ptr failure_;
};

}  // namespace mirrorball
