#pragma once

#include <span>
#include <string>
#include <string_view>

namespace mirrorball {

/// "; did you mean 'width'?" when a candidate is close to `word`, else an empty string.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

/// The candidates as "a, b, c", cut off after `most` with a count of the rest.
std::string listing(std::span<const std::string> candidates, std::size_t most = 12);

}  // namespace mirrorball
