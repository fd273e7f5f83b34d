#include "http/server.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "http/gzip.h"
#include "raw_client.h"

namespace mirrorball::http {
namespace {

using namespace std::chrono_literals;

/// Answers in plain words.
class Plain : public Application {
 public:
  Response answer(Request& request) override {
    const std::string& path = request.head().path;
    if (path == "/slow") {
      working = true;
      while (!go_on) std::this_thread::sleep_for(1ms);
      return {200, "text/plain", "slow and steady", {}};
    }
    if (path == "/large") return {200, "text/plain", std::string(std::size_t{64} << 20, 'x'), {}};
    if (path == "/hello") return {200, "text/plain", "hello there", {}};
    try {
      return {200, "text/plain", "<" + request.read_body() + ">", {}};
    } catch (const Refusal& refusal) {
      return refuse(refusal);
    }
  }
  Response refuse(const Refusal& refusal) override {
    return {refusal.status, "text/plain", refusal.what(), {{"Retry-After", "1"}}};
  }
  void answered(std::string_view, int, double) override { ++answers; }

  std::atomic<bool> working{false}, go_on{false};
  std::atomic<int> answers{0};
};

class Http : public testing::Test {
 protected:
  static Limits small() {
    Limits limits;
    limits.body_bytes = 1000;
    limits.head_bytes = 4000;
    limits.receive = 300ms;
    limits.idle = 60'000ms;
    return limits;
  }

  void start(const Limits& limits) {
    server_ = std::make_unique<Server>(limits, plain_);
    port_ = server_->bind("127.0.0.1", 0);
    thread_ = std::thread([this] { server_->serve(); });
  }

  ~Http() override {
    if (!server_) return;
    plain_.go_on = true;
    server_->finish();
    if (thread_.joinable()) thread_.join();
  }

  std::string ask(std::string_view bytes) {
    RawClient client(port_);
    client.send(bytes);
    return client.receive();
  }

  Plain plain_;
  std::unique_ptr<Server> server_;
  std::thread thread_;
  int port_ = 0;
};

constexpr char kHello[] = "GET /hello HTTP/1.1\r\nHost: here\r\n\r\n";
constexpr char kLastHello[] = "GET /hello HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n";

TEST_F(Http, AnswersSeveralRequestsOfOneConnection) {
  start(small());
  RawClient client(port_);
  for (int i = 0; i < 3; ++i) {
    client.send(kHello);
    const std::string answer = client.receive("hello there");
    EXPECT_NE(answer.find("200"), std::string::npos);
    EXPECT_NE(answer.find("Keep-Alive: timeout=60\r\n"), std::string::npos);
  }
  // Two at once: what was read too early is not lost.
  client.send(std::string(kHello) + kLastHello);
  const std::string both = client.receive();
  EXPECT_NE(both.find("hello there"), both.rfind("hello there"));
}

TEST_F(Http, TakesBodiesWholeInPiecesAndInChunks) {
  start(small());
  EXPECT_NE(ask("POST /echo HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Length: 5\r\n\r\nab\r\nc")
                .find("<ab\r\nc>"),
            std::string::npos);
  EXPECT_NE(ask("POST /echo HTTP/1.1\r\nHost: here\r\nConnection: close\r\nTransfer-Encoding: "
                "chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
                .find("<abcde>"),
            std::string::npos);
  RawClient client(port_);
  client.send(
      "POST /echo HTTP/1.1\r\nHost: here\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: "
      "2\r\n\r\n");
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
        ask(std::string("POST /echo HTTP/1.1\r\nHost: here\r\n") + headers + "\r\n0\r\n\r\n" + kLastHello);
    EXPECT_NE(answer.find("400"), std::string::npos) << headers << answer;
    EXPECT_NE(answer.find("length of the body"), std::string::npos) << headers << answer;
    EXPECT_EQ(answer.find("hello there"), std::string::npos) << headers << answer;
  }
}

TEST_F(Http, LargeBodiesAreRefusedHoweverTheyCome) {
  start(small());
  const std::string large(5000, 'x');
  EXPECT_NE(ask("POST /echo HTTP/1.1\r\nHost: here\r\nContent-Length: 5000\r\n\r\n" + large).find(" 413 "),
            std::string::npos);
  std::string chunks = "POST /echo HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (int i = 0; i < 50; ++i) chunks += "64\r\n" + std::string(100, 'x') + "\r\n";
  EXPECT_NE(ask(chunks + "0\r\n\r\n").find(" 413 "), std::string::npos);
  EXPECT_NE(ask("POST /echo HTTP/1.1\r\nHost: here\r\nContent-Length: 18446744073709551615\r\n\r\nxx")
                .find(" 413 "),
            std::string::npos);
}

TEST_F(Http, AllBodiesTogetherHaveABound) {
  Limits limits = small();
  limits.body_bytes = 100'000;
  limits.all_bodies = 250'000;
  limits.receive = 20'000ms;
  start(limits);
  const std::string
      head = "POST /echo HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Length: 90000\r\n\r\n",
      most(89'000, 'x'), rest(1000, 'x');
  std::vector<std::unique_ptr<RawClient>> holding;  // all but the last bytes have come
  for (int i = 0; i < 2; ++i) {
    holding.push_back(std::make_unique<RawClient>(port_));
    ASSERT_TRUE(holding.back()->send(head + most));
  }
  // Only then: a third request that came before them would be the one that finds room.
  while (server_->held_bodies() < 2 * most.size()) std::this_thread::sleep_for(1ms);
  const std::string answer = ask(head + most + rest);
  EXPECT_NE(answer.find("busy with other large requests"), std::string::npos) << answer;
  for (const auto& client : holding) {
    ASSERT_TRUE(client->send(rest));
    EXPECT_NE(client->receive().find(" 200 "), std::string::npos);
  }
  while (server_->held_bodies() > 0)
    std::this_thread::sleep_for(1ms);  // an answer is sent before its request ends
  EXPECT_NE(ask(head + most + rest).find(" 200 "), std::string::npos) << "what was held is free again";
}

TEST_F(Http, EndlessHeadersAreRefused) {
  start(small());
  EXPECT_NE(ask("GET /" + std::string(6000, 'a')).find(" 431 "), std::string::npos);
  std::string many = "GET /hello HTTP/1.1\r\nHost: here\r\n";
  for (int i = 0; i < 1000; ++i) many += "X-" + std::to_string(i) + ": 1\r\n";
  const std::string answer = ask(many + "\r\n");
  EXPECT_EQ(answer.find("hello there"), std::string::npos);
  EXPECT_NE(ask(kLastHello).find("hello there"), std::string::npos);
}

TEST_F(Http, ASlowClientIsCutOff) {
  Limits limits = small();
  limits.connections = 1;
  start(limits);
  // A byte now and then keeps a connection alive, but not a request.
  RawClient slow(port_);
  bool open = true;
  for (const char byte : std::string("GET /hello HTTP/1.1\r\nHost: here\r\nX-Slow: yes it is")) {
    open = open && slow.send(std::string(1, byte));
    std::this_thread::sleep_for(20ms);
  }
  EXPECT_NE(slow.receive().find(" 408 "), std::string::npos);
  RawClient slow_body(port_);
  slow_body.send("POST /echo HTTP/1.1\r\nHost: here\r\nContent-Length: 100\r\n\r\nabc");
  EXPECT_NE(slow_body.receive().find(" 408 "), std::string::npos);
  EXPECT_NE(ask(kLastHello).find("hello there"), std::string::npos);
}

TEST_F(Http, IdleConnectionsGiveWay) {
  Limits limits = small();
  limits.connections = 1;
  start(limits);
  RawClient idle(port_);
  idle.send(kHello);
  idle.receive("hello there");
  EXPECT_NE(ask(kLastHello).find("hello there"), std::string::npos);  // long before `idle` is over
}

TEST_F(Http, ConnectionsBeyondTheBoundAreTold) {
  Limits limits = small();
  limits.connections = 1;
  limits.waiting = 1;
  start(limits);
  RawClient busy(port_);
  busy.send("GET /slow HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n");
  while (!plain_.working) std::this_thread::sleep_for(1ms);
  RawClient waits(port_);
  waits.send(kLastHello);
  std::string refused;
  for (int i = 0; i < 3 && refused.empty(); ++i) {  // the first may come before `waits` is queued
    RawClient more(port_);
    refused = more.receive();
  }
  EXPECT_NE(refused.find(" 503 "), std::string::npos) << refused;
  EXPECT_NE(refused.find("Retry-After"), std::string::npos);
  EXPECT_GE(server_->refused(), 1u);
  plain_.go_on = true;
  EXPECT_NE(busy.receive().find("slow and steady"), std::string::npos);
  EXPECT_NE(waits.receive().find("hello there"), std::string::npos);
}

TEST_F(Http, FinishAnswersWhatIsUnderWay) {
  start(small());
  RawClient busy(port_), idle(port_);
  idle.send(kHello);
  idle.receive("hello there");
  busy.send("GET /slow HTTP/1.1\r\nHost: here\r\n\r\n");
  while (!plain_.working) std::this_thread::sleep_for(1ms);
  server_->finish();
  EXPECT_EQ(idle.receive(), "");
  plain_.go_on = true;
  EXPECT_NE(busy.receive().find("slow and steady"), std::string::npos);
  thread_.join();
}

TEST_F(Http, BodiesMayBePacked) {
  start(small());
  const auto packed = [](std::string_view encoding, const std::string& body) {
    return "POST /echo HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Encoding: " +
           std::string(encoding) + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  };
  EXPECT_NE(ask(packed("gzip", gzip("few bytes"))).find("<few bytes>"), std::string::npos);
  // A few hundred bytes that would be a million.
  EXPECT_NE(ask(packed("gzip", gzip(std::string(300'000, 'x')))).find(" 413 "), std::string::npos);
  EXPECT_NE(ask(packed("gzip", gzip("few bytes").substr(0, 15))).find(" 400 "), std::string::npos);
  EXPECT_NE(ask(packed("br", "few bytes")).find(" 415 "), std::string::npos);
}

TEST(HttpGzip, WhatItUnpacksIsCountedBeforeItIsKept) {
  const std::string packed = gzip(std::string(1'000'000, 'x'));
  std::size_t counted = 0;
  EXPECT_EQ(gunzip(packed, 1'000'000, [&](std::size_t bytes) { counted += bytes; }).size(), counted);
  const auto refuse = [&](std::size_t bytes) {
    if ((counted += bytes) > 100'000) throw Refusal(503, "full");
  };
  counted = 0;
  EXPECT_THROW(gunzip(packed, 1'000'000, refuse), Refusal);
  EXPECT_LT(counted, 200'000U) << "it goes on after a refusal";
}

TEST_F(Http, HeadHasNoBodyAndRangesAreNotForUs) {
  start(small());
  const std::string head = ask("HEAD /hello HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n");
  EXPECT_NE(head.find("Content-Length: 11\r\n"), std::string::npos) << head;
  EXPECT_EQ(head.find("hello there"), std::string::npos) << head;
  std::string ranges = "Range: bytes=0-1";
  while (ranges.size() < 3000) ranges += ",2-3";
  const std::string whole =
      ask("GET /hello HTTP/1.1\r\nHost: here\r\nConnection: close\r\n" + ranges + "\r\n\r\n");
  EXPECT_NE(whole.find(" 200 "), std::string::npos) << whole;
  EXPECT_NE(whole.find("hello there"), std::string::npos) << whole;
}

TEST_F(Http, OldClientsGetOneAnswer) {
  start(small());
  const std::string answer = ask("GET /hello HTTP/1.0\r\n\r\n");
  EXPECT_NE(answer.find("hello there"), std::string::npos);
  EXPECT_NE(answer.find("Connection: close\r\n"), std::string::npos);
}

TEST_F(Http, WhatTakesNoAnswerIsCutOff) {
  Limits limits = small();
  limits.connections = 1;
  limits.send = 200ms;
  start(limits);
  RawClient deaf(port_);
  deaf.send("GET /large HTTP/1.1\r\nHost: here\r\n\r\n");
  EXPECT_NE(ask(kLastHello).find("hello there"), std::string::npos);
}

// A server whose files are used up goes on when there are some again.
TEST_F(Http, OutlivesAShortageOfFiles) {
  start(small());
  EXPECT_NE(ask(kLastHello).find("hello there"), std::string::npos);
  const int client = socket(AF_INET, SOCK_STREAM, 0);  // ours is there; the server cannot have its own
  rlimit before = {};
  getrlimit(RLIMIT_NOFILE, &before);
  const int next = dup(client);
  close(next);
  const rlimit none = {static_cast<rlim_t>(next), before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  RawClient late(port_, client);
  late.send(kLastHello);
  std::this_thread::sleep_for(200ms);
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_NE(late.receive().find("hello there"), std::string::npos);
}

TEST_F(Http, NonsenseDoesNoHarm) {
  Limits limits = small();
  limits.receive = 50ms;
  start(limits);
  const std::vector<std::string> seeds = {
      kHello, "POST /echo HTTP/1.1\r\nHost: here\r\nContent-Length: 3\r\n\r\nabc",
      "POST /echo HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
      "GET /hello?a=b&c=%41 HTTP/1.1\r\nHost: here\r\nRange: bytes=0-1,2-3\r\nContent-Encoding: gzip\r\n\r\n",
      "POST /echo HTTP/1.1\r\nHost: here\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: "
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
    RawClient client(port_);
    client.send(bytes);
    client.done_sending();
    client.receive();
  }
  EXPECT_NE(ask(kLastHello).find("hello there"), std::string::npos);
}

TEST_F(Http, APortThatIsTakenIsAnError) {
  start(small());
  Server other(small(), plain_);
  EXPECT_THROW(other.bind("127.0.0.1", port_), std::runtime_error);
  Server nowhere(small(), plain_);
  EXPECT_THROW(nowhere.bind("256.1.1.1", 0), std::runtime_error);
}

}  // namespace
}  // namespace mirrorball::http
