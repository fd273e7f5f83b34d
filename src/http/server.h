#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "http/limits.h"
#include "http/listener.h"
#include "http/refusal.h"
#include "http/request.h"
#include "http/response.h"

namespace mirrorball::http {

class Workers;

/// Who answers. Called from many threads at a time.
class Application {
 public:
  virtual ~Application() = default;
  virtual Response answer(Request& request) = 0;
  /// The answer where there is no request that could be answered.
  virtual Response refuse(const Refusal& refusal) = 0;
  /// Told of every answer. `path` is empty where there was no request.
  virtual void answered(std::string_view path, int status, double seconds) = 0;
};

/// An HTTP/1.1 server against slow and greedy clients: a request has one deadline from its first byte to its
/// last, an answer one too, every byte read is counted, and connections beyond a bound are told 503 at once.
/// An idle connection gives way when others wait.
class Server {
 public:
  Server(const Limits& limits, Application& application) : limits_(limits), application_(application) {}

  /// Binds; port 0 takes a free one. Gives the port back, or throws.
  int bind(const std::string& host, int port) { return listener_.emplace(host, port).port(); }
  /// Serves until `finish`, which may be called from another thread once the port is bound. What is under way
  /// then is answered; what has not begun is closed.
  void serve();
  void finish();
  /// Serves one connection on this thread, to its end, and closes it.
  void converse(int socket) { converse(socket, nullptr); }

  /// Connections that were told 503.
  std::size_t refused() const { return refused_; }
  /// Bytes of request bodies that are in memory now, of all connections.
  std::size_t held_bodies() const { return bodies_; }

 private:
  class Conversation;

  /// `workers` are asked whether others wait; none where there is one connection alone.
  void converse(int socket, const Workers* workers);
  /// There is no room for one more connection.
  void turn_away(int socket);

  const Limits limits_;
  Application& application_;
  std::optional<Listener> listener_;
  std::atomic<bool> finishing_{false};
  std::atomic<bool> out_of_files_{false};  ///< the system gives no more sockets
  std::atomic<std::size_t> refused_{0};
  std::atomic<std::size_t> bodies_{0};  ///< bytes of them that are held
};

}  // namespace mirrorball::http
