#pragma once

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace mirrorball::http {

/// Bytes to a port of this machine, as they are.
class RawClient {
 public:
  explicit RawClient(int port) : RawClient(port, socket(AF_INET, SOCK_STREAM, 0)) {}
  RawClient(int port, int socket) : socket_(socket) {
    sockaddr_in to = {};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(socket_, reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
  }
  ~RawClient() { close(socket_); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  /// False when the server has closed.
  bool send(std::string_view bytes) {
    return ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
  }
  void done_sending() { shutdown(socket_, SHUT_WR); }

  /// What comes until the server closes, or until `text` has come.
  std::string receive(std::string_view text = "") {
    std::string got;
    char buffer[4096];
    while (text.empty() || got.find(text) == got.npos) {
      pollfd file = {socket_, POLLIN, 0};
      if (poll(&file, 1, 60000) <= 0) {
        ADD_FAILURE() << "the server neither answers nor closes; so far: " << got;
        break;
      }
      const ssize_t count = recv(socket_, buffer, sizeof buffer, 0);
      if (count <= 0) break;
      got.append(buffer, static_cast<std::size_t>(count));
    }
    return got;
  }

 private:
  int socket_;
};

}  // namespace mirrorball::http
