#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

namespace mirrorball {

/// Words after a name, on as many lines as they need; further lines begin under the first word. A line has
/// 100 characters, or as many as a terminal of this width has.
inline std::string wrapped_after(const std::string& name, const std::string& words, std::size_t width = 0) {
  constexpr std::size_t kLine = 100;
  const std::size_t line = width > 0 ? std::min(kLine, width) : kLine;
  std::string text = name;
  for (std::size_t at = 0, used = name.size(); at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    if (used + (end - at) > line) {
      text.back() = '\n';
      text.append(name.size(), ' ');
      used = name.size();
    }
    text += words.substr(at, end - at) + " ";
    used += end - at + 1;
    at = end + 1;
  }
  text.back() = '\n';
  return text;
}

}  // namespace mirrorball
