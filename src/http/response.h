#pragma once

#include <string>

#include "http/head.h"

namespace mirrorball::http {

struct Response {
  int status = 200;
  std::string type;  ///< Content-Type
  std::string body;
  NamesAndValues headers;
};

/// What stands before the body, up to the empty line. `last` says that the connection is closed after it.
std::string head_text(const Response& response, bool last);

}  // namespace mirrorball::http
