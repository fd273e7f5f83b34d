#include "layout.h"

#include <algorithm>

namespace mirrorball::cli {

std::size_t shown_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = std::min(text.find('m', i), text.size() - 1);
    } else if ((text[i] & 0xC0) != 0x80) {  // not the further byte of a character
      ++width;
    }
  }
  return width;
}

std::string wrapped(std::string_view text, std::size_t begin, std::size_t indent, std::size_t width) {
  std::string result;
  std::size_t used = begin;
  bool line_begins = true;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (!line_begins && width > 0 && used + 1 + shown_width(word) > width) {
      result += "\n" + std::string(indent, ' ');
      used = indent;
      line_begins = true;
    }
    if (!line_begins) result += ' ', ++used;
    result += word;
    used += shown_width(word);
    line_begins = false;
    at = end + 1;
  }
  return result;
}

std::string wrapped_lines(const std::string& lines, std::size_t indent, std::size_t width) {
  std::string text;
  for (std::size_t begin = 0, end; begin < lines.size(); begin = end + 1) {
    end = std::min(lines.find('\n', begin), lines.size());
    const std::string_view line = std::string_view(lines).substr(begin, end - begin);
    text += line.substr(0, indent);
    if (line.size() > indent) text += wrapped(line.substr(indent), indent, indent, width);
    text += '\n';
  }
  return text;
}

std::string wrapped_list(std::span<const std::string> entries, std::size_t indent, std::size_t width) {
  std::string result;
  std::size_t used = indent;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string entry = entries[i] + (i + 1 < entries.size() ? "," : "");
    const bool fits = width == 0 || used + 1 + shown_width(entry) <= width;
    if (i > 0 && fits) result += ' ', ++used;
    if (i > 0 && !fits) {
      result += "\n" + std::string(indent, ' ');
      used = indent;
    }
    const std::string lines = wrapped(entry, used, indent, width);
    const std::size_t last = lines.rfind('\n');
    used = last == lines.npos ? used + shown_width(lines) : shown_width(lines.substr(last + 1));
    result += lines;
  }
  return result;
}

}  // namespace mirrorball::cli
