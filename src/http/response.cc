#include "http/response.h"

#include <fmt/format.h>

namespace mirrorball::http {
namespace {

/// Words for people who look at the bytes; programs go by the number.
const char* reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 417:
      return "Expectation Failed";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "";
  }
}

}  // namespace

std::string head_text(const Response& response, std::chrono::seconds idle) {
  std::string text = fmt::format("HTTP/1.1 {} {}\r\n", response.status, reason(response.status));
  for (const auto& [name, value] : response.headers) text += fmt::format("{}: {}\r\n", name, value);
  if (!response.type.empty()) text += fmt::format("Content-Type: {}\r\n", response.type);
  text += fmt::format("Content-Length: {}\r\n", response.body.size());
  text += idle.count() > 0 ? fmt::format("Connection: keep-alive\r\nKeep-Alive: timeout={}\r\n", idle.count())
                           : "Connection: close\r\n";
  return text + "\r\n";
}

}  // namespace mirrorball::http
