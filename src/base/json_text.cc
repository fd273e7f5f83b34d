#include "base/json_text.h"

#include <algorithm>
#include <vector>

namespace mirrorball {

JsonExtent json_extent(std::string_view text, std::size_t most_depth) {
  struct Open {
    bool object;
    std::size_t commas = 0;
  };
  JsonExtent found;
  std::vector<Open> open;
  bool in_text = false;
  for (std::size_t i = 0; i < text.size() && found.depth <= most_depth; ++i) {
    const char c = text[i];
    if (c == '"') in_text = !in_text;
    if (in_text) {
      i += c == '\\' ? 1 : 0;  // what is escaped ends no text
    } else if (c == '[' || c == '{') {
      open.push_back({c == '{'});
      found.depth = std::max(found.depth, open.size());
      ++found.values;
    } else if ((c == ']' || c == '}') && !open.empty()) {
      open.pop_back();
    } else if (c == ',' && !open.empty()) {
      ++found.values;
      ++open.back().commas;
      if (open.back().object) found.longest_members = std::max(found.longest_members, open.back().commas + 1);
    }
  }
  return found;
}

}  // namespace mirrorball
