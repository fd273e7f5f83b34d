#pragma once

#include <atomic>
#include <string>

#include "http/connection.h"
#include "http/head.h"
#include "http/limits.h"

namespace mirrorball::http {

/// A request that is being answered. Its head is there; its body comes when it is asked for, so that whoever
/// may not ask is refused before.
class Request {
 public:
  /// `held` counts the bytes of all bodies that are held, this one's for as long as the request lives.
  Request(Head head, Connection& connection, const Limits& limits, std::atomic<std::size_t>& held)
      : head_(std::move(head)),
        connection_(connection),
        limits_(limits),
        held_(held),
        body_pending_(head_.has_body()) {}
  ~Request() { held_ -= own_; }
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  const Head& head() const { return head_; }
  /// The whole body, in chunks or not, packed or not; once. A Refusal where it is too large, too slow or not
  /// what the headers say.
  std::string read_body();
  /// Whether the request has a body that nobody has read to its end.
  bool body_pending() const { return body_pending_; }
  bool client_gone() const { return connection_.client_gone(); }

 private:
  std::string read_chunks();
  /// Moves the next bytes to the end of `to`.
  void read(std::uint64_t bytes, std::string& to);
  /// Up to the next end of a line, which goes too.
  std::string read_line();
  void wait_for_more();
  void spend(std::size_t bytes);
  /// Counts bytes of the body; a Refusal where all bodies together would be too many.
  void hold(std::size_t bytes);
  [[noreturn]] void refuse_size() const;

  const Head head_;
  Connection& connection_;
  const Limits& limits_;
  std::atomic<std::size_t>& held_;
  std::size_t own_ = 0;  ///< of what is held
  bool body_pending_;
  std::size_t left_ = 0;  ///< bytes that may still come, those around chunks too
};

}  // namespace mirrorball::http
