#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace mirrorball::http {

std::string gzip(std::string_view text);

/// The text behind gzip or deflate. A Refusal where it is neither, or where it has more than `most` bytes:
/// a few packed bytes can stand for very many. `more` is told of every so many bytes before they are kept,
/// and may refuse them.
std::string gunzip(std::string_view packed, std::size_t most,
                   const std::function<void(std::size_t bytes)>& more = {});

}  // namespace mirrorball::http
