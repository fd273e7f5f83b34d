#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>

#include "serve/api_error.h"

namespace mirrorball::serve {

/// Whether the client of a request has gone away. Where there is none, nobody has.
using ClientGone = std::function<bool()>;

/// Ends work whose client is gone, by an ApiError that nobody gets to see.
void stop_if(const ClientGone& gone);

/// An ApiError for more than `most` numbers.
void check_numbers(std::size_t rows, std::size_t samples, std::size_t targets, std::size_t most);

/// What the library refuses, said as the fault of a field.
template <class Work>
auto blamed_on(const std::string& field, Work work) {
  try {
    return work();
  } catch (const std::invalid_argument& error) {
    throw ApiError(400, field, error.what());
  }
}

}  // namespace mirrorball::serve
