// Bytes of a connection to the server, up to its routes and what they answer.

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <string_view>

#include "check.h"
#include "serve/server.h"
#include "small_service.h"

namespace mirrorball::fuzz {
namespace {

class SmallServer {
 public:
  SmallServer() : server_(small_.service, small_.metrics, options()) {}

  /// Sends the bytes and ends; what comes back is one answer or more, or nothing.
  void converse(std::string_view bytes) {
    std::array<int, 2> ends{};
    FUZZ_CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0);
    for (std::string_view left = bytes; !left.empty();) {
      const ssize_t put = send(ends[0], left.data(), left.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
      if (put <= 0) break;
      left.remove_prefix(static_cast<std::size_t>(put));
    }
    shutdown(ends[0], SHUT_WR);
    server_.converse(ends[1]);
    std::array<char, 64> first{};
    const ssize_t got = recv(ends[0], first.data(), first.size(), MSG_DONTWAIT);
    close(ends[0]);
    if (got <= 0) return;
    const std::string_view answer(first.data(), static_cast<std::size_t>(got));
    FUZZ_CHECK(answer.starts_with("HTTP/1.1 "));
    FUZZ_CHECK(!answer.starts_with("HTTP/1.1 500"));
  }

 private:
  static serve::ServerOptions options() {
    serve::ServerOptions options;
    options.http.body_bytes = 8192;
    options.http.head_bytes = 2048;
    options.http.send = options.http.receive = options.http.idle = std::chrono::milliseconds(0);
    return options;
  }

  SmallService small_;
  serve::Server server_;
};

}  // namespace
}  // namespace mirrorball::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static mirrorball::fuzz::SmallServer server;
  server.converse({reinterpret_cast<const char*>(data), size});
  return 0;
}
