#pragma once

#include <cstddef>
#include <string_view>

namespace mirrorball {

/// What a text would make of the memory and the stack of whoever parses it as JSON.
struct JsonExtent {
  std::size_t depth = 0;            ///< of lists and objects in each other
  std::size_t values = 0;           ///< in lists and objects, all together
  std::size_t longest_members = 0;  ///< values of the object that has the most
};

/// In one pass, before any parsing; of any text, JSON or not. Stops where `most_depth` is exceeded.
JsonExtent json_extent(std::string_view text, std::size_t most_depth);

}  // namespace mirrorball
