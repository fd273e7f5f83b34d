#pragma once

#include <string_view>

namespace mirrorball::fuzz {

/// Reads bytes as a table file of this name. In pieces of any size, whole or in blocks, a table is the same
/// or refused.
void read_table(std::string_view bytes, const char* name);

/// Reads it once, in pieces that are large, for bytes that stand for many.
void read_whole(std::string_view bytes, const char* name);

}  // namespace mirrorball::fuzz
