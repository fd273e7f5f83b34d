#include "http/connection.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace mirrorball::http {
namespace {

constexpr std::size_t kReadBytes = 16384;
constexpr std::chrono::milliseconds kLinger{500};
constexpr std::size_t kLingerBytes = std::size_t{4} << 20;

/// Waits for an event of the socket; false when the deadline comes first.
bool wait(int socket, short events, Connection::Clock::time_point deadline) {
  for (;;) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - Connection::Clock::now()).count();
    pollfd file = {socket, events, 0};
    const int ready = poll(&file, 1, static_cast<int>(std::clamp<long long>(left, 0, 60'000)));
    if (ready > 0) return true;
    if ((ready < 0 && errno != EINTR) || left <= 0) return false;
  }
}

}  // namespace

Connection::~Connection() { close(socket_); }

bool Connection::readable_within(std::chrono::milliseconds time) const {
  return !received().empty() || wait(socket_, POLLIN, Clock::now() + time);
}

Connection::Fill Connection::fill() {
  for (;;) {
    if (!wait(socket_, POLLIN, read_until_)) return Fill::kTimedOut;
    in_.erase(0, taken_);
    taken_ = 0;
    const std::size_t before = in_.size();
    in_.resize(before + kReadBytes);
    const ssize_t got = recv(socket_, in_.data() + before, kReadBytes, MSG_DONTWAIT);
    const int failure = errno;
    in_.resize(before + (got > 0 ? static_cast<std::size_t>(got) : 0));
    if (got > 0) return Fill::kMore;
    if (got == 0 || (failure != EAGAIN && failure != EWOULDBLOCK && failure != EINTR)) return Fill::kEnded;
  }
}

bool Connection::send(std::string_view first, std::string_view second, Clock::time_point deadline) {
  // The system holds the first part back until the second comes: small answers are one packet.
  return send_all(first, second.empty() ? 0 : MSG_MORE, deadline) && send_all(second, 0, deadline);
}

bool Connection::send_all(std::string_view bytes, int flags, Clock::time_point deadline) {
  while (!bytes.empty()) {
    const ssize_t put = ::send(socket_, bytes.data(), bytes.size(), flags | MSG_NOSIGNAL | MSG_DONTWAIT);
    if (put > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(put));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (!wait(socket_, POLLOUT, deadline)) return false;
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

bool Connection::client_gone() const {
  pollfd file = {socket_, POLLRDHUP, 0};
  return poll(&file, 1, 0) > 0 && (file.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

void Connection::linger() {
  shutdown(socket_, SHUT_WR);
  const auto end = Clock::now() + kLinger;
  std::array<char, kReadBytes> dropped;
  for (std::size_t bytes = 0; bytes < kLingerBytes;) {
    if (!wait(socket_, POLLIN, end)) return;
    const ssize_t got = recv(socket_, dropped.data(), dropped.size(), MSG_DONTWAIT);
    if (got <= 0) return;
    bytes += static_cast<std::size_t>(got);
  }
}

}  // namespace mirrorball::http
