#include "serve/json_writer.h"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

namespace mirrorball::serve {

void JsonWriter::separate() {
  if (!first_) text_ += ',';
  first_ = false;
}

JsonWriter& JsonWriter::open(char bracket) {
  separate();
  text_ += bracket;
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  text_ += bracket;
  first_ = false;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  text(name);
  text_ += ':';
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::number(double value, int digits) {
  if (!std::isfinite(value)) return null();
  separate();
  char written[32];
  const auto end =
      std::to_chars(written, written + sizeof written, value, std::chars_format::general, digits).ptr;
  text_.append(written, end);
  return *this;
}

JsonWriter& JsonWriter::count(std::uint64_t value) {
  separate();
  text_ += std::to_string(value);
  return *this;
}

JsonWriter& JsonWriter::text(std::string_view value) {
  separate();
  // What is not UTF-8 came from a client; it is shown with the replacement character.
  text_ += nlohmann::json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return *this;
}

JsonWriter& JsonWriter::boolean(bool value) {
  separate();
  text_ += value ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::null() {
  separate();
  text_ += "null";
  return *this;
}

JsonWriter& JsonWriter::numbers(std::span<const double> values, int digits) {
  begin_array();
  for (double value : values) number(value, digits);
  return end_array();
}

}  // namespace mirrorball::serve
