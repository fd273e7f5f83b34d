#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace mirrorball::http {

/// Threads that serve connections in the order they come, one each. They are started as connections come, up
/// to a bound, and kept.
class Workers {
 public:
  using Serve = std::function<void(int socket)>;
  using Start = std::function<std::thread(std::function<void()> work)>;

  /// At most `threads`, and `waiting` connections that wait for one of them. `start` may throw
  /// std::system_error, as std::thread does: then the threads that there are do the work.
  Workers(std::size_t threads, std::size_t waiting, Serve serve, Start start = start_thread);
  /// Serves what was taken to its end.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// False when there is no room for this connection.
  bool take(int socket);
  /// Connections that wait for a thread.
  std::size_t waiting() const { return waiting_; }

  static std::thread start_thread(std::function<void()> work) { return std::thread(std::move(work)); }

 private:
  void work();
  /// Only with the lock.
  void add_thread();
  void count_waiting() { waiting_ = sockets_.size() > idle_ ? sockets_.size() - idle_ : 0; }

  const std::size_t most_threads_, most_waiting_;
  const Serve serve_;
  const Start start_;
  std::mutex lock_;
  std::condition_variable changed_;
  std::deque<int> sockets_;
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;  ///< threads that wait for a connection
  std::atomic<std::size_t> waiting_{0};
  bool ending_ = false;
};

}  // namespace mirrorball::http
