#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mirrorball::http {

std::string gzip(std::string_view text);

/// The text behind gzip or deflate. A Refusal where it is neither, or where it has more than `most` bytes:
/// a few packed bytes can stand for very many.
std::string gunzip(std::string_view packed, std::size_t most);

}  // namespace mirrorball::http
