#include "serve/http_server.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>

#include "serve/api_error.h"

namespace mirrorball {
namespace {

using namespace std::chrono_literals;

/// Bytes to a port of this machine, as they are.
class Client {
 public:
  explicit Client(int port) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in to = {};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(socket_, reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
  }
  ~Client() { close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

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

class Http : public testing::Test {
 protected:
  static HttpLimits small() {
    HttpLimits limits;
    limits.body_bytes = 1000;
    limits.head_bytes = 4000;
    limits.receive = 300ms;
    limits.idle = 60'000ms;
    return limits;
  }

  void start(const HttpLimits& limits) {
    server_ = std::make_unique<HttpServer>(limits);
    server_->Get("/hello", [](const httplib::Request&, httplib::Response& response) {
      response.set_content("hello there", "text/plain");
    });
    server_->Get("/slow", [this](const httplib::Request&, httplib::Response& response) {
      working_ = true;
      while (!go_on_) std::this_thread::sleep_for(1ms);
      response.set_content("slow and steady", "text/plain");
    });
    server_->Post("/echo", [this](const httplib::Request&, httplib::Response& response,
                                  const httplib::ContentReader& reader) {
      try {
        response.set_content("<" + server_->read_body(reader) + ">", "text/plain");
        response.status = 200;
      } catch (const ApiError& error) {
        response.status = error.status;
        response.set_content(error.json(), "application/json");
      }
    });
    port_ = server_->bind("127.0.0.1", 0);
    thread_ = std::thread([this] { server_->serve(); });
    while (!server_->is_running()) std::this_thread::yield();
  }

  ~Http() override {
    if (!server_) return;
    go_on_ = true;
    server_->finish();
    if (thread_.joinable()) thread_.join();
  }

  std::string ask(std::string_view bytes) {
    Client client(port_);
    client.send(bytes);
    return client.receive();
  }

  std::unique_ptr<HttpServer> server_;
  std::thread thread_;
  std::atomic<bool> working_{false}, go_on_{false};
  int port_ = 0;
};

constexpr char kHello[] = "GET /hello HTTP/1.1\r\nHost: here\r\n\r\n";
constexpr char kLastHello[] = "GET /hello HTTP/1.1\r\nConnection: close\r\n\r\n";

TEST_F(Http, AnswersSeveralRequestsOfOneConnection) {
  start(small());
  Client client(port_);
  for (int i = 0; i < 3; ++i) {
    client.send(kHello);
    EXPECT_NE(client.receive("hello there").find("200"), std::string::npos);
  }
  // Two at once: what was read too early is not lost.
  client.send(std::string(kHello) + kLastHello);
  const std::string both = client.receive();
  EXPECT_NE(both.find("hello there"), both.rfind("hello there"));
}

TEST_F(Http, TakesBodiesWholeInPiecesAndInChunks) {
  start(small());
  EXPECT_NE(
      ask("POST /echo HTTP/1.1\r\nConnection: close\r\nContent-Length: 5\r\n\r\nab\r\nc").find("<ab\r\nc>"),
      std::string::npos);
  EXPECT_NE(ask("POST /echo HTTP/1.1\r\nConnection: close\r\nTransfer-Encoding: "
                "chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
                .find("<abcde>"),
            std::string::npos);
  Client client(port_);
  client.send(
      "POST /echo HTTP/1.1\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  client.receive("100 Continue");
  client.send("ok");
  EXPECT_NE(client.receive().find("<ok>"), std::string::npos);
}

// A proxy might take other bytes for the body's end than we do: nothing after such a request is answered.
TEST_F(Http, BodiesOfDoubtfulLengthAreRefusedAndTheConnectionEnds) {
  start(small());
  for (const char* headers :
       {"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "Content-Length: 3\r\nContent-Length: 5\r\n",
        "Content-Length: abc\r\n", "Content-Length: -5\r\n"}) {
    const std::string answer =
        ask(std::string("POST /echo HTTP/1.1\r\n") + headers + "\r\n0\r\n\r\n" + kLastHello);
    EXPECT_NE(answer.find("400"), std::string::npos) << headers << answer;
    EXPECT_NE(answer.find("where the body ends"), std::string::npos) << headers << answer;
    EXPECT_EQ(answer.find("hello there"), std::string::npos) << headers << answer;
  }
}

TEST_F(Http, LargeBodiesAreRefusedHoweverTheyCome) {
  start(small());
  const std::string large(5000, 'x');
  EXPECT_NE(ask("POST /echo HTTP/1.1\r\nContent-Length: 5000\r\n\r\n" + large).find(" 413 "),
            std::string::npos);
  std::string chunks = "POST /echo HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (int i = 0; i < 50; ++i) chunks += "64\r\n" + std::string(100, 'x') + "\r\n";
  EXPECT_NE(ask(chunks + "0\r\n\r\n").find(" 413 "), std::string::npos);
  EXPECT_NE(ask("POST /echo HTTP/1.1\r\nContent-Length: 18446744073709551615\r\n\r\nxx").find(" 413 "),
            std::string::npos);
}

TEST_F(Http, EndlessHeadersAreRefused) {
  start(small());
  EXPECT_NE(ask("GET /" + std::string(6000, 'a')).find(" 431 "), std::string::npos);
  std::string many = "GET /hello HTTP/1.1\r\n";
  for (int i = 0; i < 1000; ++i) many += "X-" + std::to_string(i) + ": 1\r\n";
  const std::string answer = ask(many + "\r\n");
  EXPECT_EQ(answer.find("hello there"), std::string::npos);
  EXPECT_NE(ask(kLastHello).find("hello there"), std::string::npos);
}

TEST_F(Http, ASlowClientIsCutOff) {
  HttpLimits limits = small();
  limits.connections = 1;
  start(limits);
  // A byte now and then keeps a connection alive, but not a request.
  Client slow(port_);
  bool open = true;
  for (const char byte : std::string("GET /hello HTTP/1.1\r\nX-Slow: yes it is")) {
    open = open && slow.send(std::string(1, byte));
    std::this_thread::sleep_for(20ms);
  }
  EXPECT_NE(slow.receive().find(" 408 "), std::string::npos);
  Client slow_body(port_);
  slow_body.send("POST /echo HTTP/1.1\r\nContent-Length: 100\r\n\r\nabc");
  EXPECT_NE(slow_body.receive().find(" 408 "), std::string::npos);
  EXPECT_NE(ask(kLastHello).find("hello there"), std::string::npos);
}

TEST_F(Http, IdleConnectionsGiveWay) {
  HttpLimits limits = small();
  limits.connections = 1;
  start(limits);
  Client idle(port_);
  idle.send(kHello);
  idle.receive("hello there");
  EXPECT_NE(ask(kLastHello).find("hello there"), std::string::npos);  // long before `idle` is over
}

TEST_F(Http, ConnectionsBeyondTheBoundAreTold) {
  HttpLimits limits = small();
  limits.connections = 1;
  limits.waiting = 1;
  start(limits);
  Client busy(port_);
  busy.send("GET /slow HTTP/1.1\r\nConnection: close\r\n\r\n");
  while (!working_) std::this_thread::sleep_for(1ms);
  Client waits(port_);
  waits.send(kLastHello);
  std::string refused;
  for (int i = 0; i < 3 && refused.empty(); ++i) {  // the first may come before `waits` is queued
    Client more(port_);
    refused = more.receive();
  }
  EXPECT_NE(refused.find(" 503 "), std::string::npos) << refused;
  EXPECT_NE(refused.find("Retry-After"), std::string::npos);
  EXPECT_GE(server_->refused(), 1u);
  go_on_ = true;
  EXPECT_NE(busy.receive().find("slow and steady"), std::string::npos);
  EXPECT_NE(waits.receive().find("hello there"), std::string::npos);
}

TEST_F(Http, FinishAnswersWhatIsUnderWay) {
  start(small());
  Client busy(port_), idle(port_);
  idle.send(kHello);
  idle.receive("hello there");
  busy.send("GET /slow HTTP/1.1\r\n\r\n");
  while (!working_) std::this_thread::sleep_for(1ms);
  server_->finish();
  EXPECT_EQ(idle.receive(), "");
  go_on_ = true;
  EXPECT_NE(busy.receive().find("slow and steady"), std::string::npos);
  thread_.join();
}

TEST_F(Http, NonsenseDoesNoHarm) {
  HttpLimits limits = small();
  limits.receive = 50ms;
  start(limits);
  const std::vector<std::string> seeds = {
      kHello, "POST /echo HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc",
      "POST /echo HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
      "GET /hello?a=b&c=%41 HTTP/1.1\r\nRange: bytes=0-1,2-3\r\nContent-Encoding: gzip\r\n\r\n",
      "POST /echo HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: "
      "9\r\n\r\n--x\r\n\r\n--"};
  unsigned state = 5;
  const auto below = [&](std::size_t most) { return (state = state * 1103515245u + 12345u) / 65536u % most; };
  for (int round = 0; round < 300; ++round) {
    std::string bytes = seeds[below(seeds.size())];
    for (std::size_t edits = 1 + below(3); edits > 0 && !bytes.empty(); --edits) {
      const std::size_t at = below(bytes.size());
      switch (below(3)) {
        case 0:
          bytes.erase(at, 1 + below(10));
          break;
        case 1:
          bytes[at] = static_cast<char>(below(256));
          break;
        default:
          bytes.insert(at, bytes.substr(below(bytes.size()), below(30)));
      }
    }
    Client client(port_);
    client.send(bytes);
    client.done_sending();
    client.receive();
  }
  EXPECT_NE(ask(kLastHello).find("hello there"), std::string::npos);
}

TEST_F(Http, APortThatIsTakenIsAnError) {
  start(small());
  HttpServer other(small());
  EXPECT_THROW(other.bind("127.0.0.1", port_), std::runtime_error);
  HttpServer nowhere(small());
  EXPECT_THROW(nowhere.bind("256.1.1.1", 0), std::runtime_error);
}

}  // namespace
}  // namespace mirrorball
