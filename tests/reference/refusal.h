#pragma once

#include <stdexcept>
#include <string>

namespace mirrorball {

/// The text with which the call was refused as bad input; empty if it was not.
template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

}  // namespace mirrorball
