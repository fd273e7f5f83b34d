#include "border.h"

#include <cmath>

namespace mirrorball::binding {
namespace {

Failure::Kind kind_of(const std::exception& error) {
  if (dynamic_cast<const FileError*>(&error)) return Failure::kFile;
  if (dynamic_cast<const std::bad_alloc*>(&error)) return Failure::kMemory;
  if (dynamic_cast<const std::out_of_range*>(&error)) return Failure::kIndex;
  if (dynamic_cast<const std::logic_error*>(&error)) return Failure::kValue;
  return Failure::kOther;
}

/// A text or a plain value. Bytes that are no UTF-8 become U+FFFD.
std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

void write(const Json& json, std::string& out) {
  const char* comma = "";
  if (json.is_object()) {
    out += '{';
    for (const auto& [name, value] : json.items()) {
      out += comma + dumped(name) + ':';
      write(value, out);
      comma = ",";
    }
    out += '}';
  } else if (json.is_array()) {
    out += '[';
    for (const Json& value : json) {
      out += comma;
      write(value, out);
      comma = ",";
    }
    out += ']';
  } else if (json.is_number_float() && !std::isfinite(json.get<double>())) {
    const double number = json.get<double>();
    out += std::isnan(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity";
  } else {
    out += dumped(json);
  }
}

}  // namespace

std::vector<std::string> Texts::list() const {
  std::vector<std::string> texts;
  texts.reserve(count);
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < count; begin = ends[i++])
    texts.emplace_back(bytes + begin, static_cast<std::size_t>(ends[i] - begin));
  return texts;
}

Failure* failure_of(const std::exception_ptr& error) noexcept {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& known) {
    return new Failure{kind_of(known), known.what()};
  } catch (...) {
    return new Failure{Failure::kOther, "an error of an unknown kind"};
  }
}

std::string text_of(const Json& json) {
  std::string out;
  write(json, out);
  return out;
}

MIRRORBALL_BORDER int mirrorball_failure_kind(const Failure* failure) { return failure->kind; }

MIRRORBALL_BORDER Text mirrorball_failure_text(const Failure* failure) {
  return {failure->text.data(), failure->text.size()};
}

MIRRORBALL_BORDER void mirrorball_failure_free(Failure* failure) { delete failure; }

MIRRORBALL_BORDER Text mirrorball_text(const std::string* text) { return {text->data(), text->size()}; }

MIRRORBALL_BORDER void mirrorball_text_free(std::string* text) { delete text; }

}  // namespace mirrorball::binding
