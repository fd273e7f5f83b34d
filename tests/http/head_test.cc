#include "http/head.h"

#include <gtest/gtest.h>

#include <string>

#include "http/refusal.h"

namespace mirrorball::http {
namespace {

using namespace std::string_literals;

Head parsed(const std::string& lines) { return parse_head(lines + "\r\n\r\n"); }

int status_of(const std::string& lines) {
  try {
    parsed(lines);
    return 0;
  } catch (const Refusal& refusal) {
    return refusal.status;
  }
}

TEST(HttpHead, TakesRequestsApart) {
  const Head head = parsed(
      "POST /a%20b/%C3%BC+?x=1&y=a%3Db+c&flag&&=%zz HTTP/1.1\r\nHost: here\r\nX-Empty:\r\nx-Odd:  a\t b \t");
  EXPECT_EQ(head.method, "POST");
  EXPECT_EQ(head.path, "/a b/ü+");
  EXPECT_EQ(head.query, (NamesAndValues{{"x", "1"}, {"y", "a=b c"}, {"flag", ""}, {"", "%zz"}}));
  EXPECT_EQ(head.header("HOST"), "here");
  EXPECT_EQ(head.header("X-Empty"), "");
  EXPECT_EQ(head.header("X-Odd"), "a\t b");
  EXPECT_EQ(head.header("Nothing"), "");
  EXPECT_FALSE(head.has_body());
}

TEST(HttpHead, NeedsOneHost) {
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nAccept: */*"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: a\r\nHost: b"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost:"), 0);  // of a client that has no name for it
  EXPECT_EQ(status_of("GET / HTTP/1.0"), 0);
}

TEST(HttpHead, FindsTheBody) {
  EXPECT_EQ(parsed("POST / HTTP/1.1\r\nHost: here\r\ncontent-length: 12").body_bytes, 12u);
  EXPECT_EQ(parsed("POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 99999999999999999999").body_bytes,
            UINT64_MAX);
  EXPECT_FALSE(parsed("POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 0").has_body());
  EXPECT_TRUE(parsed("POST / HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: Chunked").chunked);
  for (const char* lines :
       {"Content-Length: 3\r\nContent-Length: 3", "Content-Length: 3, 3",
        "Content-Length:", "Content-Length: +3", "Content-Length: 3 4", "Content-Length: 0x3",
        "Content-Length: 3\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: 3",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"})
    EXPECT_EQ(status_of(std::string("POST / HTTP/1.1\r\nHost: here\r\n") + lines), 400) << lines;
  EXPECT_EQ(status_of("POST / HTTP/1.0\r\nTransfer-Encoding: chunked"), 400);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: gzip, chunked"), 501);
}

TEST(HttpHead, KnowsWhenAConnectionEnds) {
  EXPECT_TRUE(parsed("GET / HTTP/1.1\r\nHost: here").keep_alive);
  EXPECT_FALSE(parsed("GET / HTTP/1.1\r\nHost: here\r\nConnection: Close").keep_alive);
  EXPECT_FALSE(parsed("GET / HTTP/1.1\r\nHost: here\r\nConnection: te\r\nConnection: x , close").keep_alive);
  EXPECT_FALSE(parsed("GET / HTTP/1.0").keep_alive);
  EXPECT_TRUE(parsed("GET / HTTP/1.0\r\nConnection: keep-alive").keep_alive);
}

TEST(HttpHead, RefusesWhatOthersCouldReadInAnotherWay) {
  for (const char* lines :
       {"", "GET", "GET /", "GET  / HTTP/1.1", "GET / x HTTP/1.1x", " GET / HTTP/1.1", "G(T / HTTP/1.1",
        "GET here HTTP/1.1", "GET http://here/ HTTP/1.1", "* / HTTP/1.1 ", "GET /\n HTTP/1.1",
        "GET / HTTP/1.1\r\nHost: here\r\nName : value", "GET / HTTP/1.1\r\nHost: here\r\n: value",
        "GET / HTTP/1.1\r\nHost: here\r\nName", "GET / HTTP/1.1\r\nHost: here\r\nName: value\r\n folded",
        "GET / HTTP/1.1\r\nHost: here\r\nName: a\nOther: b",
        "GET / HTTP/1.1\r\nHost: here\r\nName: a\rOther: b", "GET / HTTP/1.1\r\nHost: a\r\nHost: a"}) {
    const int status = status_of(lines);
    EXPECT_TRUE(status == 400 || status == 505) << status << " " << lines;
  }
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: here\r\nName: a\0b"s), 400);
  EXPECT_EQ(status_of("GET / HTTP/2.0"), 505);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: here\r\nExpect: miracles"), 417);
}

}  // namespace
}  // namespace mirrorball::http
