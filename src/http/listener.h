#pragma once

#include <string>

namespace mirrorball::http {

/// A socket that waits for connections.
class Listener {
 public:
  /// Port 0 takes a free one. Throws where the address is not this machine's or the port is taken.
  Listener(const std::string& host, int port);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  int port() const { return port_; }
  /// Waits for a connection; false after `stop`, which may be called from another thread.
  bool wait() const;
  void stop() const;
  /// No more connections are let in; the port is free.
  void close();
  /// The socket of a connection; -1 and errno where there is none after all.
  int take() const;

 private:
  int socket_ = -1, port_ = 0;
  int stopped_;  ///< readable after `stop`
};

}  // namespace mirrorball::http
