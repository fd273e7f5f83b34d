#pragma once

#include <string_view>

namespace mirrorball::serve {

/// Whether a host can be reached from this machine alone: an address of 127.0.0.0/8, ::1, such an IPv4
/// address written as IPv6, or the name localhost. Names that merely look like these belong to somebody else.
bool is_loopback(std::string_view host);

/// The same for the header Host, which may bring a port and has IPv6 addresses in brackets.
bool is_loopback_header(std::string_view header);

}  // namespace mirrorball::serve
