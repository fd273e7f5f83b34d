#pragma once

#include <string>

#include "http/head.h"

namespace mirrorball::serve {

/// Who may ask. Without a token only this machine, and only by its own name: a page of another origin could
/// have its name resolve to this machine, and the name gives it away.
class Access {
 public:
  /// Throws std::invalid_argument where other machines reach `host` and there is no token.
  Access(const std::string& host, std::string token);

  /// An ApiError for a request that came by a name that is not this machine's.
  void check_name(const http::Head& head) const;
  /// An ApiError for a request without the token.
  void check_token(const http::Head& head) const;

 private:
  std::string token_;
};

}  // namespace mirrorball::serve
