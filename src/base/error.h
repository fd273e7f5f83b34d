#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace mirrorball {

/// The caller's input is wrong. The text names what was found, what was expected and a way out.
template <class... Args>
[[noreturn]] void bad_input(fmt::format_string<Args...> text, Args&&... args) {
  throw std::invalid_argument(fmt::format(text, std::forward<Args>(args)...));
}

/// A file or the system refused. The text names the file and the reason.
template <class... Args>
[[noreturn]] void system_failure(fmt::format_string<Args...> text, Args&&... args) {
  throw std::runtime_error(fmt::format(text, std::forward<Args>(args)...));
}

}  // namespace mirrorball
