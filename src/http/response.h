#pragma once

#include <chrono>
#include <string>

#include "http/head.h"

namespace mirrorball::http {

struct Response {
  int status = 200;
  std::string type;  ///< Content-Type
  std::string body;
  NamesAndValues headers;
};

/// What stands before the body, up to the empty line. The connection stays open for `idle`; with 0 it is
/// closed.
std::string head_text(const Response& response, std::chrono::seconds idle);

}  // namespace mirrorball::http
