#pragma once

#include <string>
#include <string_view>

namespace mirrorball {

/// The text itself where it is UTF-8; otherwise its bytes taken as Latin-1, the usual other encoding of
/// tables. Names and categories can then always be stored in the model's header, and the same bytes always
/// give the same text.
std::string as_utf8(std::string_view text);

}  // namespace mirrorball
