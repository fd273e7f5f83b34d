#pragma once

#include <httplib.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>

namespace mirrorball {

/// What one client may take of the server.
struct HttpLimits {
  std::size_t body_bytes = std::size_t{32} << 20;
  std::size_t head_bytes = std::size_t{32} << 10;  ///< request line and headers together
  std::size_t connections = 128;                   ///< served side by side, a thread each
  std::size_t waiting = 128;                       ///< connections that may wait for one of these threads
  std::chrono::milliseconds receive{10'000};       ///< from a request's first byte to its last
  std::chrono::milliseconds send{20'000};          ///< for a whole answer
  std::chrono::milliseconds idle{15'000};          ///< between two requests of a connection
};

class Connection;

/// cpp-httplib's server with what it lacks against slow and greedy clients: a request has one deadline from
/// its first byte to its last, an answer one too, every byte read is counted, and connections beyond a bound
/// are told 503 at once. An idle connection gives way when others wait.
class HttpServer : public httplib::Server {
 public:
  /// A header that requests have here whose client takes packed answers.
  static constexpr const char* kTakesGzip = "X-Mirrorball-Takes-Gzip";

  explicit HttpServer(const HttpLimits& limits);

  /// Binds; port 0 takes a free one. Gives the port back, or throws.
  int bind(const std::string& host, int port);

  /// Serves until `finish`. What is under way then is answered; what has not begun is closed.
  void serve();
  void finish();

  const HttpLimits& limits() const { return limits_; }
  std::size_t refused() const { return refused_; }

  /// The whole body, whatever its encoding; 413 and 408 as an ApiError. Only within a handler.
  std::string read_body(const httplib::ContentReader& reader) const;

  /// Whether the client whose request this thread works on has gone away.
  static bool client_gone();

 private:
  class Queue;

  bool process_and_close_socket(socket_t socket) override;
  bool wait_for_request(Connection& connection) const;
  /// Reads and answers one request; false when the connection is to be closed.
  bool exchange(Connection& connection);

  HttpLimits limits_;
  std::atomic<bool> finishing_{false};
  std::atomic<std::size_t> pressed_{0};  ///< connections that wait for a thread
  std::atomic<std::size_t> refused_{0};
};

}  // namespace mirrorball
