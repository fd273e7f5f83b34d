#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace mirrorball::http {

/// One client's socket. Reading and sending end at a deadline, however slowly bytes trickle. Closes the
/// socket.
class Connection {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Fill { kMore, kEnded, kTimedOut };

  explicit Connection(int socket) : socket_(socket) {}
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Bytes to read are there, or come within this time.
  bool readable_within(std::chrono::milliseconds time) const;
  void read_until(Clock::time_point deadline) { read_until_ = deadline; }
  /// Adds what has come to `received`; waits for it until the deadline.
  Fill fill();
  std::string_view received() const { return std::string_view(in_).substr(taken_); }
  void take(std::size_t bytes) { taken_ += bytes; }

  /// Both parts, one after the other; false when the client is gone or the deadline is over.
  bool send(std::string_view first, std::string_view second, Clock::time_point deadline);
  /// The client has closed its end or is gone.
  bool client_gone() const;
  /// What the client still sends is read and dropped for a moment, so that it gets to see the answer.
  void linger();

 private:
  bool send_all(std::string_view bytes, int flags, Clock::time_point deadline);

  int socket_;
  Clock::time_point read_until_{};
  std::string in_;
  std::size_t taken_ = 0;  ///< of `in_`
};

}  // namespace mirrorball::http
