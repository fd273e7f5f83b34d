#pragma once

#include <httplib.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace mirrorball {

/// One client's socket as the stream that cpp-httplib reads and writes. Reading and writing stop at a
/// deadline and at a number of bytes; what is written goes out in one piece. Closes the socket.
class Connection : public httplib::Stream {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Connection(socket_t socket);
  ~Connection() override;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// A request begins: so many bytes may be read within `receive`, and its answer sent within `send`.
  void begin(std::size_t bytes, std::chrono::milliseconds receive, std::chrono::milliseconds send);
  void allow(std::size_t bytes) { left_ = bytes; }

  /// Bytes to read are there, or come within this time.
  bool readable_within(std::chrono::milliseconds time) const;
  bool flush();
  /// The client has closed its end or is gone.
  bool client_gone() const;
  /// What the client still sends is read and dropped for a moment, so that it gets to see the answer.
  void linger();

  bool timed_out() const { return timed_out_; }
  bool too_long() const { return too_long_; }
  bool wrote() const { return wrote_; }

  bool body_pending = false;    ///< the request has a body that nobody has read to its end
  bool ambiguous = false;       ///< its headers leave open where the body ends
  std::uint64_t announced = 0;  ///< bytes of the body, as the client says

  bool is_readable() const override { return true; }
  bool is_writable() const override { return true; }
  ssize_t read(char* to, std::size_t size) override;
  ssize_t write(const char* from, std::size_t size) override;
  // Nobody asks for addresses; to find them would cost two calls of the system for every request.
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  socket_t socket() const override { return socket_; }

 private:
  bool wait(short events, Clock::time_point deadline);

  socket_t socket_;
  Clock::time_point read_until_;
  std::chrono::milliseconds send_time_{0};
  std::size_t left_ = 0;
  bool timed_out_ = false, too_long_ = false, wrote_ = false;
  std::string in_, out_;
  std::size_t taken_ = 0;  ///< of `in_`
};

}  // namespace mirrorball
