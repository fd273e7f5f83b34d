#pragma once

#include <cstdint>
#include <string_view>

namespace mirrorball::table {

/// SipHash-1-3 (Aumasson and Bernstein, 2012) of a text, with a key that this process drew at random: whoever
/// writes a table cannot choose texts that collide.
std::uint64_t keyed_hash(std::string_view text);

/// The same with a given key.
std::uint64_t keyed_hash(std::string_view text, std::uint64_t key_low, std::uint64_t key_high);

}  // namespace mirrorball::table
