#include "serve/access.h"

#include <fmt/format.h>

#include "base/error.h"
#include "serve/api_error.h"
#include "serve/fields.h"
#include "serve/loopback.h"

namespace mirrorball::serve {
namespace {

/// The time does not depend on where the two differ.
bool same_secret(std::string_view one, std::string_view other) {
  unsigned difference = one.size() == other.size() ? 0 : 1;
  for (std::size_t i = 0; i < one.size(); ++i)
    difference |= static_cast<unsigned char>(one[i]) ^ static_cast<unsigned char>(other[i % other.size()]);
  return difference == 0;
}

}  // namespace

Access::Access(const std::string& host, std::string token) : token_(std::move(token)) {
  if (token_.empty() && !is_loopback(host))
    bad_input("--host {} is reachable from other machines: set a --token", host);
}

void Access::check_name(const http::Head& head) const {
  const std::string_view host = head.header("Host");
  if (token_.empty() && !host.empty() && !is_loopback_header(host))
    throw ApiError(
        403, "",
        fmt::format("the request names the host {}, but this server accepts localhost only", in_quotes(host)),
        "use the address that the server printed, or start it with --token");
}

void Access::check_token(const http::Head& head) const {
  if (!token_.empty() && !same_secret(head.header("Authorization"), "Bearer " + token_))
    throw ApiError(
        401, "", head.header("Authorization").empty() ? "this server requires a token" : "the token is wrong",
        "send the header Authorization: Bearer TOKEN");
}

}  // namespace mirrorball::serve
