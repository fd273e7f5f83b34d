#include "serve/checks.h"

#include <fmt/format.h>

namespace mirrorball::serve {

void stop_if(const ClientGone& gone) {
  if (gone && gone()) throw ApiError(499, "", "the client went away");
}

void check_numbers(std::size_t rows, std::size_t samples, std::size_t targets, std::size_t most) {
  if (rows * samples * targets > most)
    throw ApiError(
        413, "samples",
        fmt::format("{} rows x {} draws x {} targets are more than {} numbers", rows, samples, targets, most),
        "ask for fewer rows or draws at a time");
}

}  // namespace mirrorball::serve
