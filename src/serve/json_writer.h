#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace mirrorball::serve {

/// Writes JSON front to back. Answers are mostly draws: numbers go out with the digits that mean something,
/// without a tree being built first.
class JsonWriter {
 public:
  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }
  JsonWriter& key(std::string_view name);

  /// Up to `digits` significant digits; what is not finite is null.
  JsonWriter& number(double value, int digits = 7);
  JsonWriter& count(std::uint64_t value);
  JsonWriter& text(std::string_view value);
  JsonWriter& boolean(bool value);
  JsonWriter& null();
  JsonWriter& numbers(std::span<const double> values, int digits = 7);

  std::string take() { return std::move(text_); }

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  void separate();

  std::string text_;
  bool first_ = true;  ///< nothing stands before in this object or array
};

}  // namespace mirrorball::serve
