#include "http/request.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "http/gzip.h"
#include "http/refusal.h"

namespace mirrorball::http {
namespace {

constexpr std::size_t kLineBytes = 4096;  // of a chunk's size and what is said about it

[[noreturn]] void refuse_form() {
  throw Refusal(400, "the body is incomplete or does not match its headers");
}

/// "1a;name=value" → 26.
std::uint64_t chunk_size(std::string_view line) {
  std::uint64_t bytes = 0;
  const char* const end = line.data() + line.size();
  const auto [at, error] = std::from_chars(line.data(), end, bytes, 16);
  if (error != std::errc() || (at != end && *at != ';' && *at != ' ' && *at != '\t')) refuse_form();
  return bytes;
}

}  // namespace

std::string Request::read_body() {
  const std::string_view encoding = head_.header("Content-Encoding");
  const bool packed = encoding == "gzip" || encoding == "deflate";
  if (!packed && !encoding.empty() && encoding != "identity")
    throw Refusal(415, "the body's Content-Encoding is not supported", "send it as gzip or uncompressed");
  if (head_.body_bytes > limits_.body_bytes) refuse_size();
  if (head_.expects_continue && connection_.received().empty())
    connection_.send("HTTP/1.1 100 Continue\r\n\r\n", "", Connection::Clock::now() + limits_.send);
  left_ = limits_.body_bytes + limits_.body_bytes / 8 + limits_.head_bytes;  // chunks have headers too
  std::string body;
  head_.chunked ? body = read_chunks() : (read(head_.body_bytes, body), body);
  body_pending_ = false;
  return packed ? gunzip(body, limits_.body_bytes, [this](std::size_t bytes) { hold(bytes); }) : body;
}

std::string Request::read_chunks() {
  std::string body;
  while (const std::uint64_t bytes = chunk_size(read_line())) {
    if (bytes > limits_.body_bytes - body.size()) refuse_size();
    read(bytes, body);
    if (!read_line().empty()) refuse_form();
  }
  while (!read_line().empty()) {  // headers after the body tell nothing here
  }
  return body;
}

void Request::read(std::uint64_t bytes, std::string& to) {
  while (bytes > 0) {
    if (connection_.received().empty()) wait_for_more();
    const std::string_view part = connection_.received().substr(0, bytes);
    spend(part.size());
    hold(part.size());
    to.append(part);
    connection_.take(part.size());
    bytes -= part.size();
  }
}

std::string Request::read_line() {
  for (;;) {
    const std::string_view received = connection_.received().substr(0, kLineBytes);
    if (const std::size_t end = received.find("\r\n"); end != received.npos) {
      std::string line(received.substr(0, end));
      spend(end + 2);
      connection_.take(end + 2);
      return line;
    }
    if (received.size() == kLineBytes) refuse_form();
    wait_for_more();
  }
}

void Request::wait_for_more() {
  switch (connection_.fill()) {
    case Connection::Fill::kMore:
      return;
    case Connection::Fill::kTimedOut:
      throw Refusal(408, "the body did not arrive in time", "send the whole request at once");
    case Connection::Fill::kEnded:
      refuse_form();
  }
}

void Request::spend(std::size_t bytes) {
  if (bytes > left_) refuse_size();
  left_ -= bytes;
}

void Request::hold(std::size_t bytes) {
  own_ += bytes;
  const std::size_t most = std::max(limits_.all_bodies, 2 * limits_.body_bytes);
  if ((held_ += bytes) > most) {
    held_ -= std::exchange(own_, 0);  // at once: the connection may linger
    throw Refusal(503, "the server is busy with other large requests", "try again in a moment");
  }
}

void Request::refuse_size() const {
  throw Refusal(413, fmt::format("the body has more than {} bytes", limits_.body_bytes),
                "send fewer rows at a time, or start the server with a larger --max-body");
}

}  // namespace mirrorball::http
