#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mirrorball::http {

using NamesAndValues = std::vector<std::pair<std::string, std::string>>;

/// What stands before a request's body: its first line and its headers.
struct Head {
  std::string method, path;  ///< the path with its %XX replaced
  NamesAndValues query, headers;

  bool keep_alive = false;  ///< the client may send another request on this connection
  bool expects_continue = false;
  bool chunked = false;  ///< the body comes in chunks; otherwise it has `body_bytes`
  std::uint64_t body_bytes = 0;

  bool has_body() const { return chunked || body_bytes > 0; }
  /// The first header of this name, in any case; empty where there is none.
  std::string_view header(std::string_view name) const;
};

/// Parses what ends with an empty line, by RFC 9112. Throws a Refusal for everything that a proxy before us
/// could read in another way: two lengths, spaces before a colon, lines that end without a carriage return.
Head parse_head(std::string_view text);

}  // namespace mirrorball::http
