#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace mirrorball {

/// The threads of the process, shared by all thread pools. One is started when a job comes and none is idle;
/// idle ones sleep. Nobody joins them: the process ends without.
///
/// A forked child has none of its parent's threads; its set starts empty, whatever the parent's threads were
/// doing at that moment.
class ThreadSet {
 public:
  using Job = std::function<void()>;  ///< must not throw

  static ThreadSet& instance();

  /// Runs the job on a thread of its own. A std::system_error where the system gives no more threads.
  void start(Job job);

  /// How often this process is a fork's child: threads lent under another number are gone.
  std::uint32_t generation() const { return generation_.load(std::memory_order_relaxed); }

 private:
  struct Thread;

  ThreadSet();
  void serve(const std::shared_ptr<Thread>& self);

  std::mutex lock_;
  std::vector<std::shared_ptr<Thread>> idle_;
  std::size_t most_idle_;
  std::atomic<std::uint32_t> generation_{0};
};

}  // namespace mirrorball
