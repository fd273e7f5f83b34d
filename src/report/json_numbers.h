#pragma once

#include <nlohmann/json.hpp>

#include "mirrorball/schema.h"

namespace mirrorball::report {

using Json = nlohmann::ordered_json;

/// Digits of numbers that are drawn.
inline constexpr int kDigits = 5;

/// Rounded to so many digits; what is not finite is null.
Json number(double value, int digits = kDigits);

template <class Values>
Json numbers(const Values& values, int digits = kDigits) {
  Json array = Json::array();
  for (double value : values) array.push_back(number(value, digits));
  return array;
}

/// Digits of a column's values: those far from 0 need more to be told apart.
int digits_of(const ColumnSchema& column);

}  // namespace mirrorball::report
