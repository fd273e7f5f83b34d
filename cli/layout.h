#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace mirrorball::cli {

/// Characters as they stand on a terminal: of UTF-8, without codes for colours.
std::size_t shown_width(std::string_view text);

/// Text that begins in column `begin` broken between words, so that no line has more than `width` characters;
/// further lines are indented by `indent`. A width of 0 breaks nothing, and a longer word stays whole.
std::string wrapped(std::string_view text, std::size_t begin, std::size_t indent, std::size_t width);

inline constexpr std::size_t kPlanIndent = 17;  ///< of a plan as text

/// Lines whose words begin in column `indent`, behind their names, each broken in this way.
std::string wrapped_lines(const std::string& lines, std::size_t indent, std::size_t width);

/// "a, b, c" in the same way, broken between entries; only an entry longer than a line is broken inside.
std::string wrapped_list(std::span<const std::string> entries, std::size_t indent, std::size_t width);

}  // namespace mirrorball::cli
