#include "serve/loopback.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <cctype>
#include <string>

namespace mirrorball::serve {
namespace {

constexpr unsigned char kLoopbackNet = 127;

bool is_loopback_v4(const std::string& host) {
  unsigned char bytes[4];
  return inet_pton(AF_INET, host.c_str(), bytes) == 1 && bytes[0] == kLoopbackNet;
}

bool is_loopback_v6(const std::string& host) {
  in6_addr address;
  if (inet_pton(AF_INET6, host.c_str(), &address) != 1) return false;
  return IN6_IS_ADDR_LOOPBACK(&address) ||
         (IN6_IS_ADDR_V4MAPPED(&address) && address.s6_addr[12] == kLoopbackNet);
}

/// A name in small letters, without the dot that ends a complete one. A NUL would end it early for inet_pton.
std::string plain_name(std::string_view host) {
  if (host.ends_with('.')) host.remove_suffix(1);
  std::string name(host.find('\0') == host.npos ? host : "");
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name;
}

/// "", ":" or ":80".
bool is_port(std::string_view text) {
  return text.empty() || (text.front() == ':' && text.find_first_not_of("0123456789", 1) == text.npos);
}

}  // namespace

bool is_loopback(std::string_view host) {
  const std::string name = plain_name(host);
  return name == "localhost" || is_loopback_v4(name) || is_loopback_v6(name);
}

bool is_loopback_header(std::string_view header) {
  if (header.starts_with('[')) {
    const std::size_t end = header.find(']');
    return end != header.npos && is_port(header.substr(end + 1)) &&
           is_loopback_v6(std::string(header.substr(1, end - 1)));
  }
  const std::size_t end = std::min(header.find(':'), header.size());
  return is_port(header.substr(end)) && is_loopback(header.substr(0, end));
}

}  // namespace mirrorball::serve
