#pragma once

#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"

namespace mirrorball::model {

/// A whole number that its type can hold: a damaged file may have 1e308, -1 or a text in its place.
template <class Whole, class Json>
Whole whole_number(const Json& json, const char* name) {
  if (json.is_number_unsigned()) {
    const auto value = json.template get<std::uint64_t>();
    if (std::in_range<Whole>(value)) return static_cast<Whole>(value);
  } else if (json.is_number_integer()) {
    const auto value = json.template get<std::int64_t>();
    if (std::in_range<Whole>(value)) return static_cast<Whole>(value);
  }
  bad_input("its {} is no whole number from {} to {}", name, std::numeric_limits<Whole>::min(),
            std::numeric_limits<Whole>::max());
}

}  // namespace mirrorball::model
