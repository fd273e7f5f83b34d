#include "http/server.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <thread>

#include "base/error.h"
#include "http/connection.h"
#include "http/workers.h"

namespace mirrorball::http {
namespace {

using Clock = Connection::Clock;

/// A connection that waits for its next request looks this often whether it should give way.
constexpr std::chrono::milliseconds kLook{50};

bool no_room(int error) { return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM; }

/// The listening socket itself is broken; all other errors are those of one connection (accept(2)).
bool hopeless(int error) { return error == EBADF || error == EINVAL || error == ENOTSOCK || error == EFAULT; }

}  // namespace

/// One connection, from its first request to its last.
class Server::Conversation {
 public:
  Conversation(Server& server, const Workers* workers, int socket)
      : server_(server), limits_(server.limits_), workers_(workers), connection_(socket) {}

  void run() {
    while (wait_for_request() && exchange()) {
    }
  }

 private:
  bool wait_for_request() const {
    const auto end = Clock::now() + limits_.idle;
    while (!connection_.readable_within(kLook)) {
      const bool others_wait = (workers_ && workers_->waiting() > 0) || server_.out_of_files_;
      if (server_.finishing_ || others_wait || Clock::now() > end) return false;
    }
    return true;
  }

  /// Reads and answers one request; false when the connection is to be closed.
  bool exchange() {
    connection_.read_until(Clock::now() + limits_.receive);
    try {
      const std::optional<std::string> head = read_head();
      if (!head) return false;
      const auto began = Clock::now();
      Request request(parse_head(*head), connection_, limits_, server_.bodies_);
      const Response response = server_.application_.answer(request);
      const bool last = !request.head().keep_alive || request.body_pending() || server_.finishing_;
      server_.application_.answered(request.head().path, response.status,
                                    std::chrono::duration<double>(Clock::now() - began).count());
      const bool sent = send(response, last, request.head().method == "HEAD");
      if (request.body_pending()) connection_.linger();
      return sent && !last;
    } catch (const Refusal& refusal) {
      server_.application_.answered("", refusal.status, 0);
      send(server_.application_.refuse(refusal), true, false);
      connection_.linger();
      return false;
    }
  }

  /// Up to the empty line that ends the headers; nothing where the client is done.
  std::optional<std::string> read_head() {
    for (std::size_t searched = 0;;) {
      while (connection_.received().starts_with("\r\n")) connection_.take(2);  // RFC 9112, 2.2
      const std::string_view received = connection_.received();
      const std::size_t end = received.find("\r\n\r\n", searched);
      if (end != received.npos && end + 4 <= limits_.head_bytes) {
        std::string head(received.substr(0, end + 4));
        connection_.take(head.size());
        return head;
      }
      if (received.size() > limits_.head_bytes)
        throw Refusal(431, fmt::format("the headers have more than {} bytes", limits_.head_bytes));
      searched = received.size() < 3 ? 0 : received.size() - 3;
      const bool begun = !received.empty();
      const Connection::Fill fill = connection_.fill();
      if (fill == Connection::Fill::kTimedOut)
        throw Refusal(408, "the request did not arrive in time", "send the whole request at once");
      if (fill == Connection::Fill::kEnded && !begun) return std::nullopt;
      if (fill == Connection::Fill::kEnded) throw Refusal(400, "the request is incomplete");
    }
  }

  bool send(const Response& response, bool last, bool head_only) {
    const auto idle = std::chrono::ceil<std::chrono::seconds>(limits_.idle);
    return connection_.send(head_text(response, last ? std::chrono::seconds(0) : idle),
                            head_only ? "" : response.body, Clock::now() + limits_.send);
  }

  Server& server_;
  const Limits& limits_;
  const Workers* workers_;
  Connection connection_;
};

void Server::serve() {
  Workers workers(limits_.connections, limits_.waiting, [&](int socket) { converse(socket, &workers); });
  while (listener_->wait()) {
    const int socket = listener_->take();
    const int failure = socket < 0 ? errno : 0;
    out_of_files_ = no_room(failure);
    if (hopeless(failure)) system_failure("cannot accept connections: {}", std::strerror(failure));
    if (out_of_files_) std::this_thread::sleep_for(kLook);  // idle connections give way
    if (socket >= 0 && !workers.take(socket)) turn_away(socket);
  }
  listener_->close();  // clients are refused while the workers finish
}

void Server::converse(int socket, const Workers* workers) {
  try {
    Conversation(*this, workers, socket).run();
  } catch (const std::exception&) {  // out of memory: this connection ends, the others go on
  }
}

void Server::turn_away(int socket) {
  ++refused_;
  Connection connection(socket);
  const Response response =
      application_.refuse(Refusal(503, "too many connections are open", "try again in a moment"));
  connection.send(head_text(response, std::chrono::seconds(0)), response.body,
                  Clock::now());  // what the socket takes at once
}

void Server::finish() {
  finishing_ = true;
  listener_->stop();
}

}  // namespace mirrorball::http
