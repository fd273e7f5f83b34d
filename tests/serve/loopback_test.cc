#include "serve/loopback.h"

#include <gtest/gtest.h>

#include <string>

namespace mirrorball::serve {
namespace {

TEST(Loopback, AddressesAreParsedAndNamesCompared) {
  for (const char* host : {"localhost", "LocalHost", "localhost.", "127.0.0.1", "127.0.0.1.",
                           "127.255.255.254", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1", "::FFFF:7f00:1"})
    EXPECT_TRUE(is_loopback(host)) << host;
  for (const char* host : {"",
                           ".",
                           "127.",
                           "127.evil.example",
                           "127.0.0.1.evil.example",
                           "127.0.0.1..",
                           "127.0.0.256",
                           "localhost.evil.example",
                           "localhost..",
                           "xlocalhost",
                           "128.0.0.1",
                           "0.0.0.0",
                           "::",
                           "::2",
                           "::ffff:128.0.0.1",
                           "::127.0.0.1",
                           "[::1]",
                           " localhost",
                           "192.168.0.1",
                           "evil.example"})
    EXPECT_FALSE(is_loopback(host)) << host;
  EXPECT_FALSE(is_loopback(std::string_view("127.0.0.1\0.evil.example", 23)));
}

TEST(Loopback, HeadersMayBringPortsAndBrackets) {
  for (const char* header : {"localhost", "localhost:8080", "LOCALHOST.:8080", "127.0.0.1:80",
                             "127.0.0.1:", "[::1]", "[::1]:8080", "[::ffff:127.0.0.1]:1"})
    EXPECT_TRUE(is_loopback_header(header)) << header;
  for (const char* header :
       {"127.evil.example", "127.evil.example:8080", "127.0.0.1:80.evil.example", "localhost:x",
        "evil.example:80", "[::1", "[::1]x", "[::1].evil.example", "[localhost]", "[127.0.0.1]", "[]", ":80",
        "::1", "me@localhost", "localhost:80:80"})
    EXPECT_FALSE(is_loopback_header(header)) << header;
}

}  // namespace
}  // namespace mirrorball::serve
