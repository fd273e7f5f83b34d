#include "serve/checks.h"

#include <fmt/format.h>

namespace mirrorball::serve {

void stop_if(const ClientGone& gone) {
  if (gone && gone()) throw ApiError(499, "", "the client disconnected");
}

void check_numbers(std::size_t rows, std::size_t samples, std::size_t targets, std::size_t most) {
  if (rows * samples * targets > most)
    throw ApiError(413, "samples",
                   fmt::format("{} rows x {} samples x {} targets exceed the limit of {} numbers", rows,
                               samples, targets, most),
                   "request fewer rows or samples at a time");
}

}  // namespace mirrorball::serve
