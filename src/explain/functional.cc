#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.h"
#include "base/suggest.h"
#include "mirrorball/explain.h"

namespace mirrorball {
namespace {

/// The number behind the colon.
double level_of(std::string_view text, std::string_view name, std::string_view level) {
  double value = NAN;
  const char* const end = level.data() + level.size();
  const auto [stop, error] = std::from_chars(level.data(), end, value);
  const bool quantile = name == "quantile";
  if (level.empty() || stop != end || error != std::errc() ||
      !(quantile ? value >= 0 && value <= 1 : value > 0 && value < 1))
    bad_input("'{}': {} needs a number {} after a colon, for example {}:0.9", text, name,
              quantile ? "from 0 to 1" : "between 0 and 1", name);
  return value;
}

}  // namespace

Functional Functional::parse(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon),
                         level = colon == text.npos ? std::string_view() : text.substr(colon + 1);
  if (name == "quantile") return {Kind::kQuantile, level_of(text, name, level)};
  if (name == "width") return {Kind::kWidth, level_of(text, name, level)};
  const std::vector<std::string> known = {"mean", "sd", "median", "quantile", "width", "region"};
  if (colon != text.npos || std::find(known.begin(), known.end(), name) == known.end())
    bad_input("'{}' cannot be explained: use mean, sd, median, quantile:P, width:C or region{}", text,
              did_you_mean(name, known));
  if (name == "median") return {Kind::kQuantile, 0.5};
  return {name == "mean" ? Kind::kMean : name == "sd" ? Kind::kSd : Kind::kRegion, 0};
}

std::string Functional::text() const {
  switch (kind) {
    case Kind::kMean:
      return "mean";
    case Kind::kSd:
      return "sd";
    case Kind::kQuantile:
      return fmt::format("quantile:{}", level);
    case Kind::kWidth:
      return fmt::format("width:{}", level);
    case Kind::kRegion:
      return "region";
  }
  return {};
}

}  // namespace mirrorball
