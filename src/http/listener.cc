#include "http/listener.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "base/error.h"

namespace mirrorball::http {
namespace {

constexpr int kBacklog = 128;

/// A socket that listens at this address; -1 where it cannot be.
int listening(const addrinfo& address) {
  const int file =
      socket(address.ai_family, address.ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, address.ai_protocol);
  if (file < 0) return -1;
  const int yes = 1;
  setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);  // right after an earlier server has ended
  if (bind(file, address.ai_addr, address.ai_addrlen) == 0 && listen(file, kBacklog) == 0) return file;
  ::close(file);
  return -1;
}

int port_of(int socket) {
  sockaddr_storage address = {};
  socklen_t size = sizeof address;
  getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  in_port_t port = 0;
  address.ss_family == AF_INET6
      ? std::memcpy(&port, &reinterpret_cast<sockaddr_in6&>(address).sin6_port, sizeof port)
      : std::memcpy(&port, &reinterpret_cast<sockaddr_in&>(address).sin_port, sizeof port);
  return ntohs(port);
}

}  // namespace

Listener::Listener(const std::string& host, int port) : stopped_(eventfd(0, EFD_CLOEXEC)) {
  addrinfo wanted = {}, *found = nullptr;
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_PASSIVE;
  if (stopped_ >= 0 && getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found) == 0) {
    for (const addrinfo* address = found; address != nullptr && socket_ < 0; address = address->ai_next)
      socket_ = listening(*address);
    freeaddrinfo(found);
  }
  if (socket_ < 0) {
    ::close(stopped_);
    system_failure(
        "cannot listen on {} port {}: it is not an address of this machine, or the port is in use; --port 0 "
        "uses a free port",
        host, port);
  }
  port_ = port_of(socket_);
}

Listener::~Listener() {
  close();
  ::close(stopped_);
}

void Listener::close() {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
}

bool Listener::wait() const {
  for (;;) {
    pollfd files[] = {{socket_, POLLIN, 0}, {stopped_, POLLIN, 0}};
    const int ready = poll(files, 2, -1);
    if (ready < 0 && errno != EINTR) system_failure("cannot wait for connections: {}", std::strerror(errno));
    if (ready > 0) return files[1].revents == 0;
  }
}

void Listener::stop() const { eventfd_write(stopped_, 1); }

int Listener::take() const {
  const int connection = accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
  const int yes = 1;
  if (connection >= 0) setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return connection;
}

}  // namespace mirrorball::http
