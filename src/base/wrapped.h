#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

namespace mirrorball {

/// Words after a name, on as many lines as they need; further lines begin under the first word.
inline std::string wrapped_after(const std::string& name, const std::string& words) {
  constexpr std::size_t kLine = 100;
  std::string text = name;
  for (std::size_t at = 0, used = name.size(); at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    if (used + (end - at) > kLine) {
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
