#include "serve/connection.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace mirrorball {
namespace {

constexpr std::size_t kReadBytes = 16384;
constexpr std::chrono::milliseconds kLinger{500};
constexpr std::size_t kLingerBytes = std::size_t{4} << 20;

int milliseconds_until(Connection::Clock::time_point end) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Connection::Clock::now()).count();
  return static_cast<int>(std::clamp<long long>(left, 0, 60'000));
}

}  // namespace

Connection::Connection(socket_t socket) : socket_(socket), read_until_(Clock::now()) {}

Connection::~Connection() { close(socket_); }

void Connection::begin(std::size_t bytes, std::chrono::milliseconds receive, std::chrono::milliseconds send) {
  left_ = bytes;
  read_until_ = Clock::now() + receive;
  send_time_ = send;
  timed_out_ = too_long_ = wrote_ = body_pending = false;
}

bool Connection::readable_within(std::chrono::milliseconds time) const {
  if (taken_ < in_.size()) return true;
  pollfd file = {socket_, POLLIN, 0};
  return poll(&file, 1, static_cast<int>(time.count())) > 0;
}

bool Connection::wait(short events, Clock::time_point deadline) {
  for (;;) {
    pollfd file = {socket_, events, 0};
    const int ready = poll(&file, 1, milliseconds_until(deadline));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
    if (Clock::now() >= deadline) {
      timed_out_ = true;
      return false;
    }
  }
}

ssize_t Connection::read(char* to, std::size_t size) {
  if (taken_ == in_.size()) {
    if (!out_.empty() && !flush()) return -1;  // the client may wait for "100 Continue"
    if (!wait(POLLIN, read_until_)) return -1;
    in_.resize(kReadBytes);
    const ssize_t got = recv(socket_, in_.data(), in_.size(), MSG_DONTWAIT);
    in_.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    taken_ = 0;
    if (got <= 0) return got;
  }
  const std::size_t count = std::min(size, in_.size() - taken_);
  if (count > left_) {
    too_long_ = true;
    return -1;
  }
  std::copy_n(in_.data() + taken_, count, to);
  taken_ += count;
  left_ -= count;
  return static_cast<ssize_t>(count);
}

ssize_t Connection::write(const char* from, std::size_t size) {
  out_.append(from, size);
  return static_cast<ssize_t>(size);
}

bool Connection::flush() {
  const auto end = Clock::now() + send_time_;
  std::size_t sent = 0;
  while (sent < out_.size()) {
    const ssize_t put = send(socket_, out_.data() + sent, out_.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (put > 0) {
      sent += static_cast<std::size_t>(put);
      wrote_ = true;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (!wait(POLLOUT, end)) break;
    } else if (errno != EINTR) {
      break;
    }
  }
  const bool all = sent == out_.size();
  out_.clear();
  return all;
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
    pollfd file = {socket_, POLLIN, 0};
    if (poll(&file, 1, milliseconds_until(end)) <= 0) return;
    const ssize_t got = recv(socket_, dropped.data(), dropped.size(), MSG_DONTWAIT);
    if (got <= 0) return;
    bytes += static_cast<std::size_t>(got);
  }
}

}  // namespace mirrorball
