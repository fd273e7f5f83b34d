#include "paint.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace mirrorball::cli {
namespace {

/// Of terminals that do not tell, such as those of tests.
constexpr std::size_t kUsualWidth = 80;

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

std::size_t columns_of(int stream) {
  winsize size = {};
  return ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsualWidth;
}

}  // namespace

Paint::Paint(int stream) {
  if (isatty(stream) != 1) return;
  width_ = columns_of(stream);
  coloured_ = variable("NO_COLOR").empty() && variable("TERM") != "dumb";
}

Paint Paint::out() { return Paint(STDOUT_FILENO); }
Paint Paint::err() { return Paint(STDERR_FILENO); }

std::string Paint::with(const char* code, std::string_view words) const {
  return coloured_ && !words.empty() ? fmt::format("\x1b[{}m{}\x1b[0m", code, words) : std::string(words);
}

}  // namespace mirrorball::cli
