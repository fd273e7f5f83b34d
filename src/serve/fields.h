#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace mirrorball::serve {

using Json = nlohmann::json;

/// Parses a request's body, in time that grows with its length and no faster. Nothing a request needs is
/// nested deeper than a few levels; deeper is refused.
Json parse_body(const std::string& body);

/// A JSON object whose members are asked for one by one, each checked; a member it may not have is refused.
/// Every failure is an ApiError of status 400 that names the field.
class Fields {
 public:
  /// `body` must be an object. `known` are all members it may have.
  Fields(const Json& body, std::vector<std::string> known);

  const Json* find(const std::string& name) const;
  std::size_t whole(const std::string& name, std::size_t fallback, std::size_t low, std::size_t high) const;
  /// The member "seed"; 0 without it.
  std::uint64_t seed() const { return whole("seed", 0, 0, std::numeric_limits<std::uint64_t>::max()); }
  double number(const std::string& name, double fallback, double low, double high) const;
  std::string text(const std::string& name, const std::string& fallback) const;
  /// true or false; false without it.
  bool flag(const std::string& name) const;
  /// The member "levels" of quantiles, at least one and at most `most` of them; kQuantileLevels without it.
  std::vector<double> levels(std::size_t most) const;

 private:
  const Json& body_;
};

/// "text" in quotes as JSON has it, cut where it is long, for a message.
std::string in_quotes(std::string_view text);

/// The type and value of a JSON value for a message: `the text "a"`, `an object`, cut where it is long.
std::string in_words(const Json& value);

/// A number as a query gives it; an ApiError that names the field otherwise.
double number_from(const std::string& field, std::string_view text);

}  // namespace mirrorball::serve
