#pragma once

#include <chrono>
#include <cstddef>

namespace mirrorball::http {

/// What one client may take of the server.
struct Limits {
  std::size_t body_bytes = std::size_t{32} << 20;
  std::size_t all_bodies = std::size_t{256} << 20;  ///< that are held at a time, of all connections
  std::size_t head_bytes = std::size_t{32} << 10;   ///< request line and headers together
  std::size_t connections = 128;                    ///< served side by side, a thread each
  std::size_t waiting = 128;                        ///< connections that may wait for one of these threads
  std::chrono::milliseconds receive{10'000};        ///< from a request's first byte to its last
  std::chrono::milliseconds send{20'000};           ///< for a whole answer
  std::chrono::milliseconds idle{15'000};           ///< between two requests of a connection
};

}  // namespace mirrorball::http
