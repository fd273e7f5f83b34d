#include "serve/http_server.h"

#include <fmt/format.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "base/error.h"
#include "serve/api_error.h"
#include "serve/connection.h"

namespace mirrorball {
namespace {

/// A connection that waits for its next request looks this often whether it should give way.
constexpr std::chrono::milliseconds kLook{50};

thread_local Connection* current = nullptr;  // whose request this thread works on
thread_local bool refusing = false;          // there is no room for the connection that comes next

/// Whether a proxy before us and we could take different bytes for the end of the body.
bool ambiguous_length(const httplib::Request& request) {
  const auto lengths = request.get_header_value_count("Content-Length");
  const std::string length = request.get_header_value("Content-Length");
  const bool number = !length.empty() && length.find_first_not_of("0123456789") == std::string::npos;
  return lengths > 1 || (lengths == 1 && (!number || request.has_header("Transfer-Encoding")));
}

std::string raw_answer(const char* status_line, const ApiError& error) {
  const std::string body = error.json();
  return fmt::format(
      "HTTP/1.1 {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nRetry-After: 1\r\n"
      "Connection: close\r\n\r\n{}",
      status_line, body.size(), body);
}

}  // namespace

/// Threads are started as connections come, up to a bound, and kept.
class HttpServer::Queue : public httplib::TaskQueue {
 public:
  explicit Queue(HttpServer& server) : server_(server) {}

  void enqueue(std::function<void()> task) override {
    {
      const std::lock_guard lock(lock_);
      const std::size_t waiting = tasks_.size() + 1;
      if (waiting <= idle_ + server_.limits_.waiting || threads_.size() < server_.limits_.connections) {
        tasks_.push_back(std::move(task));
        if (waiting > idle_ && threads_.size() < server_.limits_.connections)
          threads_.emplace_back([this] { work(); });
        server_.pressed_ = tasks_.size() > idle_ ? tasks_.size() - idle_ : 0;
        changed_.notify_one();
        return;
      }
    }
    refusing = true;
    task();
    refusing = false;
  }

  void shutdown() override {
    {
      const std::lock_guard lock(lock_);
      ending_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  void work() {
    std::unique_lock lock(lock_);
    for (;;) {
      ++idle_;
      changed_.wait(lock, [this] { return ending_ || !tasks_.empty(); });
      --idle_;
      if (tasks_.empty()) return;
      const std::function<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      server_.pressed_ = tasks_.size() > idle_ ? tasks_.size() - idle_ : 0;
      lock.unlock();
      task();
      lock.lock();
    }
  }

  HttpServer& server_;
  std::mutex lock_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;  // threads that wait for a task
  bool ending_ = false;
};

HttpServer::HttpServer(const HttpLimits& limits) : limits_(limits) {
  new_task_queue = [this] { return new Queue(*this); };
  set_keep_alive_timeout(
      std::chrono::ceil<std::chrono::seconds>(limits_.idle).count());  // what clients are told
  set_keep_alive_max_count(1'000'000);
  set_tcp_nodelay(true);
  set_socket_options([](socket_t socket) {  // cpp-httplib's own choice would share a port that is taken
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
}

int HttpServer::bind(const std::string& host, int port) {
  const int bound = port == 0 ? bind_to_any_port(host) : bind_to_port(host, port) ? port : -1;
  if (bound < 0)
    system_failure(
        "cannot listen on {} port {}: the address is not this machine's or the port is taken; "
        "--port 0 takes a free one",
        host, port);
  return bound;
}

void HttpServer::serve() { listen_after_bind(); }

void HttpServer::finish() {
  finishing_ = true;
  stop();
}

bool HttpServer::process_and_close_socket(socket_t socket) {
  Connection connection(socket);
  if (refusing) {
    ++refused_;
    const std::string answer = raw_answer(
        "503 Service Unavailable", {503, "", "too many connections are open", "try again in a moment"});
    connection.write(answer.data(), answer.size());
    return connection.flush();
  }
  current = &connection;
  while (wait_for_request(connection) && exchange(connection)) {
  }
  current = nullptr;
  return true;
}

bool HttpServer::wait_for_request(Connection& connection) const {
  const auto end = Connection::Clock::now() + limits_.idle;
  while (!connection.readable_within(kLook))
    if (finishing_ || pressed_ > 0 || Connection::Clock::now() > end) return false;
  return true;
}

bool HttpServer::exchange(Connection& connection) {
  connection.begin(limits_.head_bytes, limits_.receive, limits_.send);
  bool last = false, understood = false;
  const bool done = process_request(connection, finishing_, last, [&](httplib::Request& request) {
    understood = true;
    connection.allow(limits_.body_bytes + limits_.body_bytes / 8 +
                     limits_.head_bytes);  // chunks have headers too
    connection.announced = request.get_header_value<std::uint64_t>("Content-Length");
    connection.ambiguous = ambiguous_length(request);
    connection.body_pending =
        connection.announced > 0 || request.has_header("Transfer-Encoding") || connection.ambiguous;
    // Packing small answers costs more than it saves: only what is packed already may go out packed.
    const bool gzip = request.get_header_value("Accept-Encoding").find("gzip") != std::string::npos;
    request.headers.erase("Accept-Encoding");
    request.headers.erase(kTakesGzip);
    if (gzip) request.headers.emplace(kTakesGzip, "yes");
    request.ranges.clear();
  });
  if (!done && !connection.wrote() && (connection.timed_out() || connection.too_long())) {
    const std::string answer =
        connection.timed_out()
            ? raw_answer("408 Request Timeout",
                         {408, "", "the request did not arrive in time", "send it in one go"})
            : raw_answer(
                  "431 Request Header Fields Too Large",
                  {431, "", fmt::format("the headers have more than {} bytes", limits_.head_bytes), ""});
    connection.write(answer.data(), answer.size());
  }
  const bool sent = connection.flush();
  if (connection.body_pending || !understood || !done) {
    connection.linger();
    return false;
  }
  return sent && !last && !finishing_;
}

std::string HttpServer::read_body(const httplib::ContentReader& reader) const {
  if (current->ambiguous)
    throw ApiError(400, "", "the headers leave open where the body ends",
                   "send one Content-Length, a number, or Transfer-Encoding: chunked");
  std::string body;
  bool fits = current->announced <= limits_.body_bytes;
  const bool whole = fits && reader([&](const char* bytes, std::size_t count) {
                       fits = body.size() + count <= limits_.body_bytes;
                       if (fits) body.append(bytes, count);
                       return fits;
                     });
  if (!fits || current->too_long())
    throw ApiError(413, "", fmt::format("the body has more than {} bytes", limits_.body_bytes),
                   "send fewer rows at a time, or start the server with a larger --max-body");
  if (!whole && current->timed_out())
    throw ApiError(408, "", "the body did not arrive in time", "send it in one go");
  if (!whole) throw ApiError(400, "", "the body broke off or is not what its headers say");
  current->body_pending = false;
  return body;
}

bool HttpServer::client_gone() { return current != nullptr && current->client_gone(); }

}  // namespace mirrorball
